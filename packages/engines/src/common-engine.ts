import { dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import {
  ErrorHandler,
  LOCALE_ID,
  REQUEST,
  REQUEST_CONTEXT,
  RESPONSE_INIT,
  type StaticProvider,
} from '@angular/core';
import { CommonEngine } from '@angular/ssr/node';
import type { EngineSetup, RenderEngine } from '@ng-ssr/core';
import { insertPublicConfig, markNonces } from '@ng-ssr/core';
import { flag, group, option, ownBundle, type Table } from '@ng-ssr/core/adapter';
import { checkAngularVersion } from './angular-versions.ts';
import { allLocalesEngine } from './all-locales.ts';
import { toBootstrapFunction, type ServerBootstrap } from './bootstrap.ts';
import { readDocument } from './document-file.ts';
import { ENGINE_TABLE, notSetUp, type EngineOptions } from './engine-options.ts';
import { asBeasties } from './fast/beasties.ts';
import { readInlineCss } from './fast/angular-hooks.ts';
import { FastPath, type FastRender } from './fast/fast-path.ts';
import { followRoute, RoutePatterns } from './fast/route-patterns.ts';
import { readPlans } from './fast/built-plans.ts';
import { type InlineCss, PageStyles } from './fast/page-styles.ts';
import { followErrorHandler } from './injector-contents.ts';
import { readNavigation, repeatNavigation, type Navigation } from './navigation.ts';
import {
  createResponseInit,
  toPageResponse,
  toRedirectResponse,
  toWholeResponse,
} from './page-response.ts';
import { RenderErrors } from './render-errors.ts';
import { isDevelopmentServer } from './server-app.ts';

/** Options of {@link commonEngine}, with the names of Angular's CommonEngine. */
export interface CommonEngineOptions extends EngineOptions {
  /**
   * The default export of `main.server.ts`: a function that passes its BootstrapContext to `bootstrapApplication`, or
   * the root NgModule.
   */
  readonly bootstrap: ServerBootstrap;
  /**
   * The document to render into. Default: `index.server.html` beside the server bundle, or in `server` beside the
   * browser folder.
   */
  readonly documentFilePath?: string | undefined;
  /** Folder of the styles for critical CSS. Default: the browser folder. */
  readonly publicPath?: string | undefined;
  /** Platform providers of every render. Default: none. */
  readonly providers?: readonly StaticProvider[] | undefined;
  /** Inlines critical CSS with Beasties, which costs about as much as a render. Default: true. */
  readonly inlineCriticalCss?: boolean | undefined;
  /**
   * Serves all locales of a build from one process. Each `server.ts` must listen only if `isMainModule` is true.
   * Default: false.
   */
  readonly allLocales?: boolean | undefined;
  /** Prints the time of each render step. Default: false. */
  readonly enablePerformanceProfiler?: boolean | undefined;
}

/** Angular checks what it gets. */
const given = (_name: string, value: unknown): unknown => value;

const commonOptions = group({
  bootstrap: option(
    (value) => typeof value === 'function',
    'the default export of main.server.ts, a function or an NgModule',
  ),
  documentFilePath: given,
  publicPath: given,
  providers: given,
  inlineCriticalCss: given,
  allLocales: flag(false),
  enablePerformanceProfiler: given,
  ...ENGINE_TABLE,
} satisfies Table<Record<keyof CommonEngineOptions, unknown>>);

/**
 * Renders with Angular's CommonEngine, for builds without `outputMode`.
 *
 * Components inject REQUEST, RESPONSE_INIT and REQUEST_CONTEXT as under the app engine. A router redirect is a 302
 * (or the redirect status that a component put into RESPONSE_INIT), and a path that no route matches is null, as there.
 *
 * @param options - Only `bootstrap` is required.
 * @returns An engine for the `engine` option of an ng-ssr server.
 * @throws SsrError NG_SSR_OPTION_INVALID or NG_SSR_OPTION_UNKNOWN at once; `setup` throws
 * NG_SSR_OPTION_INVALID when there is no `index.server.html`, and NG_SSR_ANGULAR_UNSUPPORTED.
 * @remarks
 * A render rejects when the application does not start, and with `failOnError` for any error. The server reports
 * other errors that the ErrorHandler gets or that are not caught, and sends the page as CommonEngine does. Not seen:
 * errors that the application catches.
 * @see https://angular.dev/guide/ssr
 * @example
 * ```ts
 * import bootstrap from './main.server';
 *
 * const server = createKoaSsrServer({ engine: commonEngine({ bootstrap }) });
 * ```
 */
export function commonEngine(options: CommonEngineOptions): RenderEngine {
  const { allLocales } = commonOptions('commonEngine', options);
  const engine = Object.assign(engineOfBundle(options), {
    compared: (fast: boolean) => engineOfBundle({ ...options, fast }),
  });
  if (ownBundle !== undefined) return (ownBundle.engine = engine);
  return (allLocales ? allLocalesEngine(engine) : undefined) ?? engine;
}

/** The engine of the locale of this bundle. */
function engineOfBundle(options: CommonEngineOptions): RenderEngine {
  const locale = readLocale();
  let render: RenderEngine | undefined;

  return Object.assign(
    ((request, requestContext) => {
      if (render === undefined) throw notSetUp('commonEngine');
      return render(request, requestContext);
    }) satisfies RenderEngine,
    {
      failOnError: options.failOnError ?? false,
      // In a build with an outputMode `ng serve` runs servers with CommonEngine too.
      allowedHosts: () => (isDevelopmentServer() ? ['*'] : []),
      // The browser folder of this bundle contains pages of this locale only.
      locales: () => (locale === undefined ? {} : { [locale]: '' }),
      setup: (setup: EngineSetup) => {
        checkAngularVersion(isMainThread);
        render = createRender(options, setup, locale);
      },
    },
  );
}

/** Ends a fast render that has no document of ours, before the application starts. */
const NOT_FAST = new Error("Angular's own DOM renders this page.");

/** Ends a render that is a redirect or no page, before the page is serialized. */
class NotThisPage {
  readonly navigation: Exclude<Navigation, { kind: 'page' }>;

  constructor(navigation: Exclude<Navigation, { kind: 'page' }>) {
    this.navigation = navigation;
  }
}

/**
 * The locale of this bundle, which a localized build sets as a global of the process. Read at once: another
 * bundle may overwrite it later.
 */
function readLocale(): string | undefined {
  const { $localize } = globalThis as { readonly $localize?: { readonly locale?: string } };
  return $localize?.locale;
}

function createRender(
  options: CommonEngineOptions,
  setup: EngineSetup,
  locale: string | undefined,
): RenderEngine {
  const { providers = [], failOnError = false, enablePerformanceProfiler = false } = options;
  const bootstrap = toBootstrapFunction(options.bootstrap);
  const { browserFolder, nonce, publicConfig } = setup;
  const built = readDocument(options.documentFilePath, browserFolder);
  const marked = nonce === undefined ? built.text : markNonces(built.text, nonce);
  const document = insertPublicConfig(marked, publicConfig);
  const publicPath = options.publicPath ?? browserFolder;
  const inlineCriticalCss = (options.inlineCriticalCss ?? true) && publicPath !== undefined;
  const engine = createEngine(enablePerformanceProfiler);
  const inline = inlineCriticalCss ? readInlineCss(engine, publicPath) : undefined;
  const isFast =
    (options.fast ?? true) &&
    !enablePerformanceProfiler &&
    (inline !== undefined || !inlineCriticalCss);
  const path = isFast ? new FastPath() : undefined;
  const routes = new RoutePatterns();
  let styles: PageStyles | undefined;

  /** Undefined for a page that must be rendered again by Angular alone. */
  const render = async (
    request: Request,
    requestContext: unknown,
    fast?: FastRender,
  ): Promise<Response | null | undefined> => {
    const init = createResponseInit(locale);
    const errors = new RenderErrors(failOnError, request, fast);
    let matched: ReturnType<typeof followRoute> = () => undefined;
    if (fast !== undefined) {
      fast.routeOf = () => routes.learn(new URL(request.url).pathname, matched());
    }
    try {
      const html = await engine.render({
        url: request.url,
        document,
        inlineCriticalCss: inlineCriticalCss && fast === undefined,
        ...(publicPath === undefined ? {} : { publicPath }),
        providers: [
          ...(locale === undefined ? [] : [{ provide: LOCALE_ID, useValue: locale }]),
          ...providers,
          { provide: REQUEST, useValue: request },
          { provide: REQUEST_CONTEXT, useValue: requestContext },
          { provide: RESPONSE_INIT, useValue: init },
        ],
        bootstrap: async (context) => {
          if (fast?.enter(context.platformRef) === false) throw NOT_FAST;
          const app = await errors.start(
            context.platformRef,
            () => bootstrap(context),
            (injector, isOfRoute, follow) =>
              followErrorHandler(injector, ErrorHandler, isOfRoute, follow),
          );
          if (fast !== undefined) matched = followRoute(app);
          await app.whenStable();
          errors.throwFailure();
          const navigation = readNavigation(app, new URL(request.url));
          if (navigation.kind === 'none' && !errors.hasFailedNavigation) {
            await repeatNavigation(app, request.url).catch((error) => errors.failNavigation(error));
          }
          // CommonEngine sends the rest of the page.
          const isWithoutContent = navigation.kind === 'none' && errors.hasFailedNavigation;
          errors.settleNavigation(true);
          if (navigation.kind !== 'page' && !isWithoutContent) throw new NotThisPage(navigation);
          fast?.follow(app);
          return app;
        },
      });
      const page = await fast?.finish(html);
      if (fast !== undefined && page === undefined) return undefined;
      errors.end();
      return page === undefined ? toPageResponse(html, init) : toWholeResponse(page, init);
    } catch (error) {
      if (error === NOT_FAST || fast?.isUnfit() === true) return undefined;
      if (!(error instanceof NotThisPage)) throw error;
      const { navigation } = error;
      return navigation.kind === 'none' ? null : toRedirectResponse(navigation.location, init);
    }
  };

  return async (request, requestContext) => {
    if (path !== undefined) {
      styles ??= await createStyles(dirname(built.path), publicPath, inline);
      const fast = path.begin(request, styles, () => routes.of(new URL(request.url).pathname));
      const response = fast && (await render(request, requestContext, fast));
      if (response !== undefined) return response;
    }
    return (await render(request, requestContext)) ?? null;
  };
}

async function createStyles(
  serverFolder: string,
  publicPath: string | undefined,
  inline: InlineCss | undefined,
): Promise<PageStyles> {
  if (inline === undefined || publicPath === undefined) return new PageStyles();
  const plans = await readPlans(serverFolder, publicPath);
  return new PageStyles({ plans, inline, reparsed: asBeasties(plans) });
}

/**
 * Allows all hosts, because the server has checked the host. NG_ALLOWED_HOSTS would override the option:
 * CommonEngine reads it in its constructor, so it is unset meanwhile.
 */
function createEngine(enablePerformanceProfiler: boolean): CommonEngine {
  const { NG_ALLOWED_HOSTS: hosts } = process.env;
  delete process.env['NG_ALLOWED_HOSTS'];
  try {
    return new CommonEngine({ enablePerformanceProfiler, allowedHosts: ['*'] });
  } finally {
    if (hosts !== undefined) process.env['NG_ALLOWED_HOSTS'] = hosts;
  }
}
