import { SsrError } from '@ng-ssr/core/neutral';

/**
 * The Angular internals that the engines use, and the effect if one is missing. Each is read as if it
 * might be absent, and its absence is reported unless it could be due to an application's own class.
 * A test checks that the installed Angular has all of them.
 */
export const INTERNALS = {
  'AngularAppEngine.ɵdisableAllowedHostsCheck': '`ng serve` responds with 400 to its own hosts',
  'AngularAppEngine.ɵallowStaticRouteRender':
    '`ng serve` responds with 400 to hosts that it allows',
  'AngularNodeAppEngine#angularAppEngine':
    'security.allowedHosts of angular.json, failOnError, withNonce() and withPublicConfig() have no effect',
  'AngularAppEngine#allowedHosts':
    'security.allowedHosts of angular.json has no effect: set allowedHosts or NG_ALLOWED_HOSTS',
  'AngularAppEngine#getAngularServerAppForRequest':
    'failOnError, withNonce() and withPublicConfig() have no effect',
  'AngularAppEngine#manifest.supportedLocales':
    'prerendered pages of localized builds are sent without Content-Language',
  'AngularAppEngine#supportedLocales':
    'hosts cannot have the pages of a locale at their root: hosts of withLocales() fails',
  'AngularServerApp#manifest': 'failOnError, withNonce() and withPublicConfig() have no effect',
  'AngularServerApp#manifest.bootstrap': 'failOnError has no effect',
  'AngularServerApp#manifest.assets':
    'pages with a nonce are not sent, and withPublicConfig() has no effect',
  'AngularServerApp#manifest.routes': 'pages of RenderMode.Client are rendered for each request',
  'AngularServerApp#handle': 'pages of RenderMode.Client are rendered for each request',
  'AngularServerApp#router': 'pages of RenderMode.Client are rendered for each request',
  'R3Injector#records': 'failOnError has no effect',
  'R3Injector#resolveInjectorInitializers':
    'pages whose root component has errors are stored, and failOnError has no effect on them',
  'ErrorHandler#_console':
    'failOnError has no effect, and a stack is printed for each path that no route matches',
  'NgModule.ɵmod': 'root NgModules cannot be rendered',
  'INITIAL_CONFIG.document': "all pages are rendered with Angular's own DOM",
  'AngularServerApp#manifest.criticalCssPlans':
    'its critical CSS is computed for each page, in a time that grows with the stylesheets',
  'AngularServerApp#inlineCriticalCss': "all pages are rendered with Angular's own DOM",
  'CommonEngine#inlineCriticalCss': "all pages are rendered with Angular's own DOM",
  'Document#serialize': "all pages are rendered with Angular's own DOM",
} as const;

/** A symbol of {@link INTERNALS}. */
export type Internal = keyof typeof INTERNALS;

const missed = new Set<Internal>();

/** The message about a symbol that this version of Angular does not have. */
export function describeMissing(symbol: Internal): string {
  return `this version of Angular has no ${symbol}: ${INTERNALS[symbol]}. Update @ng-ssr/engines.`;
}

/** The error about a symbol without which there is no going on. */
export function changed(symbol: Internal): SsrError {
  return new SsrError('NG_SSR_ANGULAR_CHANGED', describeMissing(symbol));
}

/** Reports, once, a symbol that this version of Angular does not have. */
export function reportMissing(symbol: Internal): void {
  if (missed.has(symbol)) return;
  missed.add(symbol);
  const { code, message, docs } = changed(symbol);
  console.error(`ng-ssr: ${code}: ${message} (${docs})`);
}
