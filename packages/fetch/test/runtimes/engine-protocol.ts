import type { SsrOptions } from '@ng-ssr/core';

/** What a child process is started with. */
export interface ChildOptions {
  readonly engineOrigin: string;
  readonly builtHosts: readonly string[];
  readonly options: Omit<SsrOptions, 'engine' | 'onError'>;
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
    };
