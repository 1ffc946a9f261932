import '@angular/compiler';
import { Location } from '@angular/common';
import {
  createEnvironmentInjector,
  DOCUMENT,
  type EnvironmentInjector,
  ErrorHandler,
  Injector,
  type InjectionToken,
  NgZone,
  PLATFORM_ID,
  runInInjectionContext,
  signal,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import {
  type Navigation,
  NavigationError,
  NavigationStart,
  RedirectCommand,
  Router,
  type UrlTree,
} from '@angular/router';
import { type SkewRecoveryOptions, withSkewRecovery } from '@ng-ssr/angular';
import { onTestFinished, vi } from 'vitest';

export const LOST = new TypeError('Failed to fetch dynamically imported module: https://a/c.js');
export const MAIN = 'main-OWNMAIN2.js';

/** What a page has around it: a window, the router where it stands, and a server that says its build. */
export class FakeBrowser {
  /** What has become of the document: `assign /guide`. */
  readonly left: string[] = [];
  /** Navigations that were tried again. */
  readonly tried: (readonly [url: string, extras: object])[] = [];
  readonly reported: unknown[] = [];
  readonly passedOn: NavigationError[] = [];
  readonly storage = new Map<string, string>();
  /** The server's main scripts; undefined while it does not answer. */
  server: readonly string[] | undefined = ['main-SERVER22.js'];
  navigated = true;
  isStorageThere = true;
  asked: string[] = [];
  readonly #listeners: ((event: unknown) => void)[] = [];
  readonly #pageHides: (() => void)[] = [];
  readonly #navigation = signal<Navigation | null>(null);
  readonly #injector: EnvironmentInjector;
  readonly #handle: (error: NavigationError) => unknown;
  readonly #isHash: boolean;

  constructor(
    options: SkewRecoveryOptions = {},
    { scripts = [MAIN], base = 'https://a/', isHash = false, platform = 'browser' } = {},
  ) {
    this.#isHash = isHash;
    vi.stubGlobal('fetch', (url: URL) => {
      this.asked.push(url.pathname);
      if (this.server === undefined) return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve(Response.json({ build: 'b', main: this.server }));
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const feature = withSkewRecovery({
      navigationErrorHandler: (error) => this.passedOn.push(error),
      ...options,
    });
    this.#injector = createEnvironmentInjector(
      [
        ...feature.ɵproviders,
        // As the injector of an application.
        { provide: INJECTOR_SCOPE, useValue: 'root' },
        { provide: PLATFORM_ID, useValue: platform },
        { provide: NgZone, useValue: { runOutsideAngular: (run: () => unknown) => run() } },
        { provide: DOCUMENT, useValue: this.#document(scripts, base) },
        { provide: Router, useValue: this.#router() },
        { provide: Location, useValue: this.#location() },
        { provide: ErrorHandler, useValue: { handleError: (e: unknown) => this.reported.push(e) } },
      ],
      Injector.NULL as EnvironmentInjector,
    );
    const carrier = feature.ɵproviders[0] as unknown as {
      provide: InjectionToken<(error: NavigationError) => unknown>;
    };
    this.#handle = this.#injector.get(carrier.provide);
  }

  get injector(): EnvironmentInjector {
    return this.#injector;
  }

  /**
   * A navigation fails.
   *
   * @returns whether the handler has kept the router where it was.
   */
  async fail(url: string, navigation: object = {}, error: unknown = LOST): Promise<boolean> {
    this.start(url);
    this.#navigation.set({ trigger: 'imperative', extras: {}, ...navigation } as Navigation);
    const result = runInInjectionContext(this.#injector, () =>
      this.#handle(new NavigationError(1, url, error)),
    );
    this.#navigation.set(null);
    // The server's answer, and what follows from it.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    return result instanceof RedirectCommand;
  }

  start(url: string): void {
    for (const listener of this.#listeners) listener(new NavigationStart(1, url));
  }

  hide(): void {
    for (const listener of this.#pageHides.splice(0)) listener();
  }

  #document(scripts: readonly string[], base: string): unknown {
    const { left, storage } = this;
    const here = new URL('about', base).href;
    const window = {
      navigator: { onLine: true },
      location: {
        href: here,
        assign: (url: string) => left.push(`assign ${url}`),
        replace: (url: string) => left.push(`replace ${url}`),
        reload: () => left.push('reload'),
      },
      history: {
        state: null,
        pushState: (_state: unknown, _title: string, url: string) => left.push(`push ${url}`),
        replaceState: (_state: unknown, _title: string, url: string) => left.push(`set ${url}`),
      },
      addEventListener: (type: string, listener: () => void) => {
        if (type === 'pagehide') this.#pageHides.push(listener);
      },
      removeEventListener: () => undefined,
    };
    const isThere = (): boolean => this.isStorageThere;
    const store = {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    };
    const document = {
      baseURI: base,
      visibilityState: 'visible',
      defaultView: Object.defineProperty(window, 'sessionStorage', {
        get() {
          if (!isThere()) throw new DOMException('denied', 'SecurityError');
          return store;
        },
      }),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      querySelectorAll: () => scripts.map((src) => ({ getAttribute: () => src })),
    };
    return (Object.assign(window, { document }), document);
  }

  #router(): unknown {
    const { tried } = this;
    const isNavigated = (): boolean => this.navigated;
    return {
      url: '/about',
      get navigated() {
        return isNavigated();
      },
      currentNavigation: this.#navigation.asReadonly(),
      events: { subscribe: (listener: (event: unknown) => void) => this.#listeners.push(listener) },
      parseUrl: (url: string) => url as unknown as UrlTree,
      serializeUrl: (tree: unknown) => String(tree),
      navigateByUrl: (url: string, extras: object) => {
        tried.push([url, extras]);
        return Promise.resolve(false);
      },
    };
  }

  #location(): unknown {
    const prefix = this.#isHash ? '#' : '';
    return { path: () => '/about', prepareExternalUrl: (url: string) => prefix + url };
  }
}
