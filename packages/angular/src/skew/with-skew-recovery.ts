import { isPlatformBrowser, Location } from '@angular/common';
import {
  DOCUMENT,
  EnvironmentInjector,
  ErrorHandler,
  inject,
  InjectionToken,
  PLATFORM_ID,
  provideEnvironmentInitializer,
  runInInjectionContext,
  untracked,
} from '@angular/core';
import {
  type Navigation,
  type NavigationError,
  type NavigationErrorHandlerFeature,
  NavigationStart,
  RedirectCommand,
  Router,
  withNavigationErrorHandler,
} from '@angular/router';
import { isLostChunk } from './lost-chunk.ts';
import { mayReload, noteReload } from './reload-record.ts';
import { SKEW } from './skew.ts';

/** Options of {@link withSkewRecovery}. */
export interface SkewRecoveryOptions {
  /** Handles navigation errors that this feature cannot fix, instead of `withNavigationErrorHandler`. Default: none. */
  readonly navigationErrorHandler?: ((error: NavigationError) => unknown) | undefined;
  /**
   * Whether the page may be left for `url`. Return false to keep an unsaved form; the application gets the error.
   * Default: always.
   */
  readonly canReload?: ((url: string) => boolean | Promise<boolean>) | undefined;
}

/**
 * Recovers a navigation that fails because its lazy script is not in the new build: loads the target page from the server.
 * If the server is unreachable or has the same build, the navigation is retried once instead. Each address is reloaded
 * once per build, and at most ten times in five minutes; then the error goes to the application.
 *
 * @example
 * ```ts
 * provideRouter(routes, withSkewRecovery())
 * ```
 */
export function withSkewRecovery(options: SkewRecoveryOptions = {}): NavigationErrorHandlerFeature {
  const handle = (error: NavigationError): unknown => inject(RECOVERY)(error, options);
  const feature = withNavigationErrorHandler(handle);
  const carrier = feature.ɵproviders[0] as unknown as { readonly provide: InjectionToken<unknown> };
  const assertAlone = provideEnvironmentInitializer(() => {
    if (inject(carrier.provide) !== handle) throw new Error(NOT_ALONE);
    // Sees lost scripts, and the main script before the application can change the document.
    inject(SKEW);
  });
  return { ...feature, ɵproviders: [...feature.ɵproviders, assertAlone] };
}

const NOT_ALONE =
  'ng-ssr: withNavigationErrorHandler after withSkewRecovery replaces it. Give your handler to ' +
  'withSkewRecovery({ navigationErrorHandler }) instead';

type Recover = (error: NavigationError, options: SkewRecoveryOptions) => unknown;

const RECOVERY = new InjectionToken<Recover>('skew recovery', {
  providedIn: 'root',
  factory: () => (isPlatformBrowser(inject(PLATFORM_ID)) ? createRecovery() : passOn),
});

const passOn: Recover = (error, options) => options.navigationErrorHandler?.(error);

/** A navigation without its script, with what it takes to continue it. */
interface Lost {
  /** As the router names it. */
  readonly url: string;
  readonly navigation: Navigation;
  readonly options: SkewRecoveryOptions;
  /** Whether the router is still where it was, with the navigation to be tried again. */
  readonly isHeld: boolean;
}

function createRecovery(): Recover {
  const skew = inject(SKEW);
  const router = inject(Router);
  const location = inject(Location);
  const injector = inject(EnvironmentInjector);
  const errors = inject(ErrorHandler);
  const window = inject(DOCUMENT).defaultView!;
  const storage = (): Storage => window.sessionStorage;
  /** Counts what the user has started since: a navigation that was given up is not continued. */
  let started = 0;
  /** Tried again by this, so that its error goes on. */
  let retried: string | undefined;
  router.events.subscribe((event) => {
    if (event instanceof NavigationStart && event.url !== router.url) started++;
  });

  async function continueOrRetry(lost: Lost): Promise<void> {
    const { navigation, url } = lost;
    const { extras } = navigation;
    const since = started;
    const target = addressOf(navigation, url);
    const isOther = (await skew.check()) === 'other';
    const mayLeave = isOther && (await mayLeaveFor(target, lost.options));
    if (started !== since) return;
    if (mayLeave) return leaveFor(target, replaces(navigation));
    if (!lost.isHeld) return;
    retried = url;
    // It rejects as the first one would have: its rejection is not handled here either.
    void router
      .navigateByUrl(url, { ...extras, replaceUrl: replaces(navigation) })
      .finally(() => (retried = undefined));
  }

  /** What the address bar would have shown. */
  function addressOf({ extras }: Navigation, url: string): string {
    const { browserUrl, skipLocationChange } = extras;
    const shown =
      browserUrl === undefined
        ? skipLocationChange
          ? location.path(true)
          : url
        : typeof browserUrl === 'string'
          ? browserUrl
          : router.serializeUrl(browserUrl);
    return new URL(location.prepareExternalUrl(shown), window.document.baseURI).href;
  }

  async function mayLeaveFor(target: string, { canReload }: SkewRecoveryOptions): Promise<boolean> {
    if (skew.build === undefined || !mayReload(storage, target, skew.build)) return false;
    try {
      return (await runInInjectionContext(injector, () => canReload?.(target))) ?? true;
    } catch (error) {
      errors.handleError(error);
      return false;
    }
  }

  function leaveFor(target: string, isReplaced: boolean): void {
    // Only when it is left indeed: the user may answer the question of `beforeunload` with "stay".
    const note = (): void => noteReload(storage, target, skew.build!);
    window.addEventListener('pagehide', note, { once: true });
    const [document] = window.location.href.split('#', 1);
    if (target.split('#', 1)[0] !== document) {
      if (isReplaced) window.location.replace(target);
      else window.location.assign(target);
      return;
    }
    // Another fragment alone would load no document.
    const { history } = window;
    if (isReplaced || target === window.location.href) {
      history.replaceState(history.state, '', target);
    } else history.pushState(null, '', target);
    window.location.reload();
  }

  return (error, options) => {
    const navigation = untracked(router.currentNavigation);
    const isOurs = isLostChunk(error.error) && navigation !== null && error.url !== retried;
    if (!isOurs) return passOn(error, options);
    // The first navigation has no place to stay at.
    const isHeld = router.navigated;
    void continueOrRetry({ url: error.url, navigation, options, isHeld });
    if (!isHeld) return passOn(error, options);
    return new RedirectCommand(router.parseUrl(router.url), { onSameUrlNavigation: 'ignore' });
  };
}

/** The entry of the history is there already, or is not to be kept. */
function replaces({ extras, trigger }: Navigation): boolean {
  return extras.replaceUrl === true || trigger !== 'imperative';
}
