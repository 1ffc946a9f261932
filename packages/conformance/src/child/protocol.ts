import type { ConformanceServerOptions, Lane } from '../server-contract.ts';

/** What a program is started with, as JSON in its first parameter. */
export interface ChildParameters {
  /** Where the suite's engine is asked, over HTTP. */
  readonly engineOrigin: string;
  /** The hosts that the engine allows by itself. */
  readonly builtHosts: readonly string[];
  readonly lane: Lane;
  readonly options: Omit<ConformanceServerOptions, 'engine' | 'onError'>;
}

/** One page to be rendered. */
export interface RenderQuestion {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** How a render ended. */
export type RenderOutcome =
  | { readonly kind: 'null' }
  | { readonly kind: 'failure'; readonly message: string | undefined }
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: [string, string][];
      /** What came of the content, in base64. */
      readonly body: string;
      /** Why the content ended early. */
      readonly failure: string | undefined;
      /** The messages of errors that the page has left unhandled. */
      readonly unhandled: readonly string[];
    };

/** What a server gave to `onError`. */
export interface ToldError {
  readonly code: string;
  readonly message: string;
  /** The message of what lies behind it. */
  readonly cause: string | undefined;
}
