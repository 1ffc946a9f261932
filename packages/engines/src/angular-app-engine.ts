import { AngularAppEngine } from '@angular/ssr';
import type { EngineSetup, RenderEngine } from '@ng-ssr/core';
import { group } from '@ng-ssr/core/neutral';
import { checkAngularVersion } from './angular-versions.ts';
import { ENGINE_TABLE, type EngineOptions, notBuilt, notSetUp } from './engine-options.ts';
import { failWith } from './fail-with.ts';
import { RenderErrors } from './render-errors.ts';
import {
  followRender,
  prepareApp,
  readAllowedHosts,
  readLocales,
  toEngineHosts,
  toProxyHeaders,
} from './server-app.ts';

/** Options of {@link angularAppEngine}. */
export type AngularAppEngineOptions = Pick<EngineOptions, 'failOnError'>;

/**
 * Renders with Angular's AngularAppEngine, for builds with `"ssr": { "platform": "neutral" }`: it needs none of
 * Node's modules. As `appEngine()`, without the fast DOM and the pages of `RenderMode.Client` from memory.
 *
 * @param options - None is required.
 * @returns An engine for `createNeutralSsrHandler`.
 * @throws SsrError NG_SSR_OPTION_UNKNOWN and NG_SSR_OPTION_INVALID at once; `setup` and `allowedHosts` throw
 * NG_SSR_ENGINE_NOT_BUILT in a program that the Angular CLI has not built, and `setup` NG_SSR_ANGULAR_UNSUPPORTED.
 * @remarks
 * Which errors fail a render is as for `appEngine()`, with two exceptions: uncaught errors that
 * Angular's ErrorHandler does not get, and errors given to one ErrorHandler object that several renders share, cannot be
 * attributed to a page there. The platform logs the former, and the page may be stored.
 * @see https://angular.dev/guide/ssr
 */
export function angularAppEngine(options: AngularAppEngineOptions = {}): RenderEngine {
  const table = { failOnError: ENGINE_TABLE.failOnError };
  const { failOnError } = group(table)('angularAppEngine', options);
  let engine: AngularAppEngine | undefined;
  let inspected: AngularAppEngine | undefined;
  const inspect = (): AngularAppEngine => (inspected ??= createEngine([], false));

  return Object.assign(
    (async (request, requestContext) => {
      if (engine === undefined) throw notSetUp('angularAppEngine');
      const app = await prepareApp(engine, request, {});
      const errors = new RenderErrors(failOnError, request);
      if (app !== undefined) followRender(request, { errors, fast: undefined });
      const response = await engine.handle(request, requestContext);
      errors.settleNavigation(response !== null);
      if (response?.body) return failWith(errors, response, response.body);
      errors.end();
      return response;
    }) satisfies RenderEngine,
    {
      failOnError,
      setup: (setup: EngineSetup) => {
        checkAngularVersion(true);
        engine = createEngine(toEngineHosts(setup.allowedHosts), setup.trustProxyHeaders);
      },
      allowedHosts: () => readAllowedHosts(inspect),
      locales: () => readLocales(inspect()),
    },
  );
}

function createEngine(
  allowedHosts: readonly string[],
  trusted: boolean | readonly string[],
): AngularAppEngine {
  try {
    return new AngularAppEngine({ allowedHosts, trustProxyHeaders: toProxyHeaders(trusted) });
  } catch (cause) {
    throw notBuilt('angularAppEngine', 'Servers on Node use appEngine().', cause);
  }
}
