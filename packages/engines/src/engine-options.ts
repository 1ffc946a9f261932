import { flag, SsrError, type Table } from '@ng-ssr/core/neutral';

/** Options of both engines. */
export interface EngineOptions {
  /**
   * Sends 500 for any error of a page, instead of the page with `no-store` (`NG_SSR_ERROR_UNHANDLED`). Default: false.
   *
   * @see https://angular.dev/best-practices/error-handling
   */
  readonly failOnError?: boolean | undefined;
  /** Renders the same bytes with ng-ssr's faster server DOM. Angular renders routes that need more. Default: true. */
  readonly fast?: boolean | undefined;
}

/** The options of both engines, with every default filled in. */
export interface ResolvedEngineOptions {
  readonly failOnError: boolean;
  readonly fast: boolean;
}

export const ENGINE_TABLE: Table<ResolvedEngineOptions> = {
  failOnError: flag(false),
  fast: flag(true),
};

/** The error for an invalid option: names the option, the value received and what is allowed. */
export function invalidOption(
  factory: string,
  option: string,
  allowed: string,
  received: unknown,
  cause?: unknown,
): SsrError {
  return new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${factory}.${option} is ${describe(received)}; allowed: ${allowed}`,
    cause === undefined ? undefined : { cause },
  );
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `${JSON.stringify(value)} (string)`;
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

/** The error for a program that does not contain the application; other errors of Angular's engine as they are. */
export function notBuilt(factory: string, others: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !cause.message.includes('manifest is not set')) return cause;
  return new SsrError(
    'NG_SSR_ENGINE_NOT_BUILT',
    `${factory}(): this program does not contain the Angular application. Build it with the ` +
      '@angular/build:application builder and "outputMode": "server", keep @ng-ssr/engines and ' +
      `@angular/ssr out of "externalDependencies", and start the built server.mjs. ${others} If it is built so, the bundle ` +
      'has two copies of @angular/ssr: npm ls @angular/ssr shows them',
    { cause },
  );
}

/** The error for a render before the server has called `setup`. */
export function notSetUp(factory: string): SsrError {
  return new SsrError(
    'NG_SSR_RENDER_FAILED',
    `${factory}(): a page was requested before setup() was called. Pass the engine to an ng-ssr server, or call ` +
      `engine.setup({ allowedHosts, trustProxyHeaders, browserFolder }) first.`,
  );
}
