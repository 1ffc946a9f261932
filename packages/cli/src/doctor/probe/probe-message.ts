import type { FilledPage, ServerDescription } from '@ng-ssr/core/pack';

/** The environment variable that tells the probe what to ask; the program does not see it. */
export const ASKS = 'NG_SSR_DOCTOR_ASKS';
/** Messages of the probe have this member, so that those of the program are told from them. */
export const MARK = 'ng-ssr:doctor';

/** What the probe does beside reading the server's description. */
export interface Asks {
  /** A built file for browsers, from "/": asked as a client would. */
  readonly file: string | undefined;
  /** A prerendered page, from "/". */
  readonly page: string | undefined;
  /** A page to render, from "/"; undefined renders nothing. */
  readonly render: string | undefined;
  /**
   * Whether the server renders its pages fast, or with Angular's own DOM, each when the parent asks for it; undefined if
   * pages are not compared.
   */
  readonly isFast?: boolean | undefined;
  /** Whether pages are rendered into the page store, each when the parent asks for it. */
  readonly isFilling?: boolean;
  /** After this time the probe says what it knows. */
  readonly withinMs: number;
}

/** In place of a status: the server did not answer in time. */
export const NO_ANSWER = 0;

/** The head of an answer. */
export interface ProbeAnswer {
  readonly path: string;
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A {@link ServerDescription} without functions. */
export interface WireDescription extends Omit<
  ServerDescription,
  'notices' | 'endpoints' | Control
> {
  readonly notices: readonly WireNotice[];
  readonly endpoints: readonly WireEndpoint[];
}

/** What a server is told to do. */
type Control = 'close' | 'fill' | 'hold' | 'load';

/** A notice of the server. */
export interface WireNotice {
  readonly code: string;
  readonly message: string;
}

/** An endpoint that a token opens. */
export interface WireEndpoint {
  readonly feature: string;
  readonly path: string;
  readonly tokenCharacters: number;
  readonly tokenVariety: number;
  /** The server's file that has the token in it. */
  readonly tokenFile: string | undefined;
}

/** What the probe has learned so far; later messages have more. */
export interface ProbeMessage {
  /** Undefined if the program has made no server of ng-ssr. */
  readonly description: WireDescription | undefined;
  readonly threads: number;
  /** Whether the program was about to listen. */
  readonly listens: boolean;
  /** Whether the time was over before it was. */
  readonly isLate: boolean;
  /** Whether the engine has two ways to render; undefined if pages are not compared. */
  readonly isComparable?: boolean;
  /** Whether the probe takes a {@link PageQuestion} or a {@link FillQuestion}. */
  readonly takesQuestions?: boolean;
  /** Why the application could not be loaded. */
  readonly loadError: string | undefined;
  readonly file: ProbeAnswer | undefined;
  readonly page: ProbeAnswer | undefined;
  readonly rendered: ProbeAnswer | undefined;
}

/** The parent asks a probe that compares for a page. */
export interface PageQuestion {
  /** From "/". */
  readonly path: string;
}

/** A page as the server has answered it. */
export interface ComparedPage {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The probe's answer to a {@link PageQuestion}. */
export interface PageMessage {
  readonly id: number;
  /** Undefined without an answer in time. */
  readonly page: ComparedPage | undefined;
  /** What the engine has reported meanwhile: why a page is not rendered fast. */
  readonly notices: readonly string[];
}

/** The parent asks a probe that fills the page store for a page. */
export interface FillQuestion {
  /** Absolute. */
  readonly url: string;
  /** A page rendered before this time (`Date.now()`) is rendered again. */
  readonly changedAtMs?: number | undefined;
}

/** The probe's answer to a {@link FillQuestion}. */
export interface FillMessage {
  readonly id: number;
  readonly filled?: FilledPage;
  /** Why there is none. */
  readonly error?: string;
}

/** Before the program has set anything up. */
export const NOTHING_KNOWN: ProbeMessage = {
  description: undefined,
  threads: 1,
  listens: false,
  isLate: false,
  loadError: undefined,
  file: undefined,
  page: undefined,
  rendered: undefined,
};
