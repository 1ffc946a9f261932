import { DOCUMENT, inject, InjectionToken, type ValueProvider } from '@angular/core';

/**
 * The type of {@link PUBLIC_CONFIG}. An application declares its members:
 *
 * ```ts
 * import '@ng-ssr/angular';
 *
 * declare module '@ng-ssr/angular' {
 *   interface PublicConfig {
 *     apiUrl: string;
 *   }
 * }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- Declarations of applications are merged into it.
export interface PublicConfig {}

/**
 * The configuration of `withPublicConfig()`, as the page carries it: the same in the server and in the browser, frozen.
 *
 * Without a server's, as in `ng build` and in tests, it is what {@link providePublicConfig} has; injecting it throws
 * where that is missing, too.
 */
export const PUBLIC_CONFIG: InjectionToken<Readonly<PublicConfig>> = new InjectionToken(
  'PUBLIC_CONFIG',
  { providedIn: 'root', factory: readPublicConfig },
);

const DEFAULT_CONFIG = new InjectionToken<Readonly<PublicConfig>>('the default of PUBLIC_CONFIG');

/**
 * Provides what {@link PUBLIC_CONFIG} is in pages that have no configuration of a server: while `ng build` prerenders,
 * in `ng serve` without a server, and in tests. The configuration of a server replaces it as a whole.
 */
export function providePublicConfig(config: PublicConfig): ValueProvider {
  return { provide: DEFAULT_CONFIG, useValue: config };
}

/** Elements with the same id in the body are content: the server's is in the head, and comes first there. */
const ELEMENT = 'head > script#ng-ssr-config';

/** A server has one configuration: it is parsed for the first page, and frozen, so that all pages can share it. */
let parsed: { readonly json: string; readonly config: Readonly<PublicConfig> } | undefined;

function readPublicConfig(): Readonly<PublicConfig> {
  const json = inject(DOCUMENT).querySelector(ELEMENT)?.textContent;
  const given = inject(DEFAULT_CONFIG, { optional: true });
  if (json === undefined) {
    if (given !== null) return freeze(structuredClone(given));
    throw new Error(
      'PUBLIC_CONFIG: this page has no configuration. Add withPublicConfig() to the features of the server. For ' +
        'ng build, for pages without a server and for tests, add providePublicConfig({ ... }) to the providers.',
    );
  }
  if (parsed?.json !== json) parsed = { json, config: freeze(JSON.parse(json) as PublicConfig) };
  return parsed.config;
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
