import type { SsrError } from '../errors.ts';

/** How a server is set up, with every default filled in: what `ng-ssr doctor` checks. No secret is in it. */
export interface ServerDescription {
  /** The hosts of the option, with those of the build; `asked` if a function decides. */
  readonly allowedHosts: readonly string[];
  readonly areHostsAsked: boolean;
  readonly trustProxyHeaders: boolean | readonly string[];
  readonly files: {
    /** Undefined without a build on disk. */
    readonly folder: string | undefined;
    readonly maxFileBytes: number;
    readonly maxBytes: number;
    readonly encodings: readonly string[];
  };
  /** Undefined where no page is stored. */
  readonly cache:
    { readonly maxBytes: number; readonly languages: readonly string[] | undefined } | undefined;
  /** Endpoints that a token opens. */
  readonly endpoints: readonly DescribedEndpoint[];
  readonly render: {
    readonly maxWaitMs: number;
    readonly timeoutMs: number;
  };
  /** What each feature says of itself, by its name. */
  readonly features: Readonly<Record<string, object>>;
  readonly probes: { readonly live: string | undefined; readonly ready: string | undefined };
  readonly errorDetails: boolean;
  /** Whether the program has an `onError` of its own. */
  readonly hasOnError: boolean;
  /** What the server has reported while it was created. */
  readonly notices: readonly SsrError[];
  /**
   * Keeps the server from its background work: encodings, render threads, prewarming, publishing its build. For programs
   * that only look at a server; to be called before its first request.
   */
  readonly hold: () => void;
  /**
   * Loads the application, as a render thread does before its first render; nothing is rendered.
   *
   * @returns what the server would report of it at its start.
   */
  readonly load: () => Promise<readonly SsrError[]>;
  /** As `fillPage`: for `ng-ssr render`. */
  readonly fill: (url: string, changedAtMs: number | undefined) => Promise<FilledPage>;
  /** Resolves when renders in flight have ended and their pages are in the page store. */
  readonly close: () => Promise<void>;
}

/** What became of a page that was to be in the cache. */
export interface FilledPage {
  /** `rendered` into the page store, or `cached` there before. */
  readonly result: 'rendered' | 'cached' | 'notStored' | 'failed';
  /** Why it is not there. */
  readonly reason?: string;
}

/** An endpoint that a token opens. */
export interface DescribedEndpoint {
  /** What adds it to the features: `withInspector`. */
  readonly feature: string;
  readonly path: string;
  readonly tokenCharacters: number;
  /** How many different characters the token has. */
  readonly tokenVariety: number;
  /** Whether a text contains the token. */
  readonly isTokenIn: (text: string) => boolean;
}

/** What a feature says of itself. */
export interface FeatureDescription {
  /** Its endpoints that a token opens. */
  readonly endpoints?: readonly DescribedEndpoint[];
  /** How it is set up, as plain data: for those who know the feature. */
  readonly settings?: object;
}

/** `ng-ssr:server`: a server is about to be created, was created, or is about to listen in several threads. */
export type ServerEvent =
  | {
      readonly event: 'start';
      /**
       * Has the server render all its pages, those of the build too, in one of two ways that are to give the same pages,
       * and store none: for `ng-ssr doctor --compare`.
       *
       * @returns false if the engine has one way.
       */
      readonly compare: (isFast: boolean) => boolean;
      /** Has the server wait for its page store as long as that takes: for `ng-ssr render`. */
      readonly fill: () => void;
    }
  | { readonly event: 'create'; readonly description: ServerDescription }
  | { readonly event: 'threads'; readonly threads: number };
