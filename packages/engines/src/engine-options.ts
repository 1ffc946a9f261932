import { SsrError } from '@ng-ssr/core';

/** Options of both engines. */
export interface EngineOptions {
  /**
   * Whether a render fails when the application's ErrorHandler is given an error before the page is
   * complete, or nobody catches one. Angular itself only logs it and sends what there is of the page with status 200, or,
   * when a routed component could not be made, takes the page for absent. Default: true.
   */
  readonly failOnError?: boolean | undefined;
}

/** The refusal of an option's value: names the option, what came and what is allowed. */
export function invalidOption(
  factory: string,
  option: string,
  allowed: string,
  received: unknown,
  cause?: unknown,
): SsrError {
  const came = typeof received === 'string' ? `"${received}"` : describe(received);
  return new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${factory}(): option "${option}" must be ${allowed}; received ${came}.`,
    cause === undefined ? undefined : { cause },
  );
}

function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

/** The refusal to render before the server has told the engine its hosts and folders. */
export function notSetUp(factory: string): SsrError {
  return new SsrError(
    'NG_SSR_RENDER_FAILED',
    `${factory}(): asked for a page before setup(). Pass the engine to an ng-ssr server, or call ` +
      `engine.setup({ allowedHosts, trustProxyHeaders, browserFolder }) first.`,
  );
}
