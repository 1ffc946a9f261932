import type { AngularNodeAppEngine } from '@angular/ssr/node';
import type { HostLocales } from '@ng-ssr/core';
import { changed } from './angular-internals.ts';

/** Private parts of AngularNodeAppEngine that choose the application by the path of a request. */
interface AppEngineInternals {
  readonly angularAppEngine?: {
    manifest?: { readonly supportedLocales?: Readonly<Record<string, string>> };
    supportedLocales?: readonly string[];
  };
}

/**
 * Finds the engine of a request's host. Angular's engine finds the application of a locale in the path alone; one whose
 * manifest has one locale has that for every path.
 */
export class LocaleEngines {
  readonly #byPath: AngularNodeAppEngine;
  readonly #hostLocales: HostLocales | undefined;
  readonly #byLocale = new Map<string, AngularNodeAppEngine>();

  /**
   * @param create - Creates an engine with all locales.
   * @throws SsrError NG_SSR_ANGULAR_CHANGED
   */
  constructor(create: () => AngularNodeAppEngine, hostLocales: HostLocales | undefined) {
    this.#byPath = create();
    this.#hostLocales = hostLocales;
    if (hostLocales === undefined) return;
    const { hosts, others } = hostLocales;
    for (const locale of new Set([...Object.values(hosts), others])) {
      if (locale !== undefined) this.#byLocale.set(locale, narrow(create(), locale));
    }
  }

  of(request: Request): AngularNodeAppEngine {
    if (this.#hostLocales === undefined) return this.#byPath;
    const locale = localeOfHost(this.#hostLocales, request);
    return (locale === undefined ? undefined : this.#byLocale.get(locale)) ?? this.#byPath;
  }
}

/** The locale that the host of a request has at its root; undefined if the path says another. */
export function localeOfHost(
  { hosts, others, otherPaths }: HostLocales,
  { url }: Request,
): string | undefined {
  const { hostname, pathname } = new URL(url);
  if (otherPaths.some((path) => `${pathname}/`.startsWith(`${path}/`))) return undefined;
  return Object.hasOwn(hosts, hostname) ? hosts[hostname] : others;
}

/** Leaves an engine one locale. */
function narrow(engine: AngularNodeAppEngine, locale: string): AngularNodeAppEngine {
  const { angularAppEngine } = engine as unknown as AppEngineInternals;
  const folder = angularAppEngine?.manifest?.supportedLocales?.[locale];
  if (angularAppEngine?.supportedLocales === undefined || folder === undefined) {
    throw changed('AngularAppEngine#supportedLocales');
  }
  angularAppEngine.manifest = {
    ...angularAppEngine.manifest,
    supportedLocales: { [locale]: folder },
  };
  angularAppEngine.supportedLocales = [locale];
  return engine;
}
