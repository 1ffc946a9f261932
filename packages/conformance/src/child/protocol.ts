import type { FixtureFeature } from '../fixture-features.ts';
import type { ConformanceServerOptions, Hits } from '../server-contract.ts';

/** The start parameters of a program, as JSON in its first argument. */
export interface ChildParameters {
  /** The HTTP address of the suite's engine. */
  readonly engineOrigin: string;
  /** The hosts that the engine allows in addition to `allowedHosts`. */
  readonly builtHosts: readonly string[];
  readonly serveHits: Hits;
  /** Without `allowedHosts`, the suite decides on hosts. */
  readonly options: Omit<
    ConformanceServerOptions,
    'engine' | 'onError' | 'allowedHosts' | 'features'
  > & {
    readonly allowedHosts: string[] | undefined;
    readonly features: readonly FixtureFeature[];
  };
}

/** One page to render. */
export interface RenderQuestion {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What a function `allowedHosts` says; undefined when it fails. */
export interface HostAnswer {
  readonly isAllowed?: boolean | undefined;
}

/** How a render ended. */
export type RenderOutcome =
  | { readonly kind: 'null' }
  | { readonly kind: 'failure'; readonly message: string | undefined }
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: [string, string][];
      /** The content that was received, in base64. */
      readonly body: string;
      /** Why the content ended early. */
      readonly failure: string | undefined;
      /** The messages of errors that the page left unhandled. */
      readonly unhandled: readonly string[];
    };

/** An error that a server passed to `onError`. */
export interface ReportedError {
  readonly code: string;
  readonly message: string;
  /** The message of its cause. */
  readonly cause: string | undefined;
}
