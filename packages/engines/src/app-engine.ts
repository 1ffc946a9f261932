import { isMainThread } from 'node:worker_threads';
import { AngularNodeAppEngine } from '@angular/ssr/node';
import type { EngineSetup, RenderEngine } from '@ng-ssr/core';
import { group } from '@ng-ssr/core/neutral';
import { checkAngularVersion } from './angular-versions.ts';
import { findClientPages, requestToRender } from './client-pages.ts';
import {
  ENGINE_TABLE,
  type EngineOptions,
  notBuilt,
  notSetUp,
  type ResolvedEngineOptions,
} from './engine-options.ts';
import { failWith } from './fail-with.ts';
import { finishFast } from './fast/finish.ts';
import { LocaleEngines } from './locale-engines.ts';
import { AppStyles } from './fast/app-styles.ts';
import { routeOf } from './fast/angular-hooks.ts';
import { rehearse } from './fast/rehearsal.ts';
import { FastPath } from './fast/fast-path.ts';
import { RenderErrors } from './render-errors.ts';
import {
  allowAllHosts,
  type DocumentMarks,
  followRender,
  prepareApp,
  readAllowedHosts,
  readLocales,
  renderPrerendered,
  toEngineHosts,
  toProxyHeaders,
} from './server-app.ts';

/** Options of {@link appEngine}. */
export type AppEngineOptions = EngineOptions;

/**
 * Renders with Angular's AngularNodeAppEngine, for builds with `outputMode: "server"`.
 *
 * The engine gets the server's allowedHosts and trustProxyHeaders, and the server the hosts of
 * `security.allowedHosts` in angular.json.
 *
 * @param options - None is required.
 * @returns An engine for the `engine` option of an ng-ssr server.
 * @throws SsrError NG_SSR_OPTION_UNKNOWN at once; `setup` and `allowedHosts` throw
 * NG_SSR_ENGINE_NOT_BUILT in a program that the Angular CLI has not built or bundled, `setup`
 * NG_SSR_ANGULAR_UNSUPPORTED, and `allowedHosts` NG_SSR_ANGULAR_CHANGED when its hosts cannot be read from this version
 * of Angular.
 * @remarks
 * A render rejects when the application does not start, when the initial navigation fails in a guard, a
 * resolver or the constructor of a component, so that Angular has no page, and with `failOnError` for any error. The
 * server reports other errors that the ErrorHandler gets or that are not caught, and sends the page as Angular does.
 * Not seen: errors that the application catches, and errors of pages that Angular renders without a request (`RenderMode.Prerender` under `ng serve`).
 *
 * A request whose signal aborts rejects although its render continues: pass requests without the
 * client's signal if several requests wait for one render.
 * @see https://angular.dev/guide/ssr
 * @example
 * ```ts
 * const server = createKoaSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * ```
 */
export function appEngine(options: AppEngineOptions = {}): RenderEngine {
  const resolved = group(ENGINE_TABLE)('appEngine', options);
  return Object.assign(createAppEngine(resolved, false), {
    compared: (fast: boolean) => createAppEngine({ ...resolved, fast }, true),
  });
}

/** @param rendersAll - Whether routes with `RenderMode.Prerender` are rendered for each request. */
function createAppEngine(
  { failOnError, fast }: ResolvedEngineOptions,
  rendersAll: boolean,
): RenderEngine {
  const path = fast ? new FastPath() : undefined;
  const styles = new AppStyles();
  let engines: LocaleEngines | undefined;
  let marks: DocumentMarks = {};
  /** For inspection only, and created once: each engine prints a warning if the build allows every host. */
  let inspected: AngularNodeAppEngine | undefined;
  const inspect = (): AngularNodeAppEngine => (inspected ??= createEngine([]));

  return Object.assign(
    (async (request, requestContext) => {
      if (engines === undefined) throw notSetUp('appEngine');
      const angular = engines.of(request);
      const app = await prepareApp(angular, request, marks);
      if (rendersAll && app !== undefined) renderPrerendered(app, request);
      const handle = (): Promise<Response | null> => angular.handle(request, requestContext);

      const pageStyles = app && path && styles.of(app);
      if (app !== undefined && path !== undefined && pageStyles !== undefined) {
        const { url } = request;
        const fast = path.begin(
          request,
          pageStyles,
          () => routeOf(app, url) ?? new URL(url).pathname,
        );
        if (fast !== undefined) {
          const errors = new RenderErrors(failOnError, request, fast);
          followRender(request, { errors, fast });
          const response = await finishFast(fast, errors, handle);
          if (response !== undefined) return response;
        }
      }
      const errors = new RenderErrors(failOnError, request);
      if (app !== undefined) followRender(request, { errors, fast: undefined });
      const response = await handle();
      errors.settleNavigation(response !== null);
      if (response?.body) return failWith(errors, response, response.body);
      errors.end();
      return response;
    }) satisfies RenderEngine,
    {
      failOnError,
      setup: (setup: EngineSetup) => {
        checkAngularVersion(isMainThread);
        marks = setup;
        const { areHostsAsked = false } = setup;
        const hosts = toEngineHosts(setup.allowedHosts);
        const named = areHostsAsked ? hosts.filter((host) => host !== '*') : hosts;
        const trusted = toProxyHeaders(setup.trustProxyHeaders);
        const create = (): AngularNodeAppEngine => {
          const engine = createEngine(named, trusted);
          if (areHostsAsked && hosts.includes('*')) allowAllHosts(engine);
          return engine;
        };
        engines = new LocaleEngines(create, setup.hostLocales);
      },
      allowedHosts: () => readAllowedHosts(inspect),
      locales: () => readLocales(inspect()),
      constantPages: () => findClientPages(inspect()),
      load: async () => {
        if (engines === undefined) throw notSetUp('appEngine');
        const request = new Request('http://localhost/');
        const app = await prepareApp(engines.of(request), request, marks);
        await app?.manifest?.bootstrap?.();
        const first = app && requestToRender(app as Parameters<typeof requestToRender>[0]);
        if (first === undefined) return;
        await rehearse(path !== undefined && styles.of(app!) !== undefined, async (fast) => {
          followRender(first, { errors: new RenderErrors(failOnError, first), fast });
          return app!.handle?.(first);
        });
      },
    },
  );
}

function createEngine(
  allowedHosts: readonly string[],
  trustProxyHeaders: boolean | readonly string[] = false,
): AngularNodeAppEngine {
  try {
    return new AngularNodeAppEngine({ allowedHosts, trustProxyHeaders });
  } catch (cause) {
    throw notBuilt('appEngine', 'Builds without "outputMode" use commonEngine().', cause);
  }
}
