import { keyOf } from '../../check-option.ts';
import { SsrError } from '../../errors.ts';
import type { Routes } from '../../path/routes.ts';
import type { Fill, Slot } from './slot-options.ts';

/** Headers of the page's request that the route needs to know the visitor. */
const OF_VISITOR = /^(?:cookie|authorization|accept-language|user-agent|forwarded|x-forwarded-.*)$/;

/** Of these calls. Middleware may give them another path, and no browser asks so for a page. */
export const ACCEPT = 'application/json';

/** Fills slots with responses of the server's own routes. */
export class OwnRoutes {
  /** Undefined until the adapter has given them. */
  routes: Routes | undefined;
  /** Whether a slot is filled so. */
  areNeeded = false;

  /** @param call - A path, with its query. */
  readonly fillOf = (name: string, call: string): Fill => {
    this.areNeeded = true;
    return async (page, { signal }) => {
      if (this.routes === undefined) throw withoutRoutes(name);
      const url = new URL(call, page.url);
      const headers = new Headers({ accept: ACCEPT, host: url.host });
      for (const [each, value] of page.headers) if (OF_VISITOR.test(each)) headers.set(each, value);
      const request = { method: 'GET', url, headers, body: null, signal };
      const { status, body } = await this.routes(request);
      const text = await new Response(body).text();
      if (status !== 200) throw new Error(`GET ${call} has status ${status}; allowed: 200`);
      return JSON.parse(text) as unknown;
    };
  };
}

function withoutRoutes(name: string): SsrError {
  const message =
    `${keyOf('withSlots', name)}.call needs the routes of this server: set the option routes to your app, as in routes: ` +
    '(request) => app.fetch(request), or on Node (req, res) => app(req, res), or add fill to the slot';
  return new SsrError('NG_SSR_OPTION_INVALID', message);
}

/** Found by its name: `@ng-ssr/angular` does not import this package. */
const LIST = Symbol.for('ng-ssr.late-calls');

/**
 * Which calls come in which slots, for `lateCalls` of `@ng-ssr/angular`: `name URL name URL`.
 *
 * @param isBuilt - Otherwise `ng build` or `ng serve` may render pages itself, in documents without the list.
 */
export function lateCalls(slots: readonly Slot[], isBuilt: boolean): string {
  const list = slots
    .flatMap(({ name, call }) => (call === undefined ? [] : [name, call]))
    .join(' ');
  if (!isBuilt) Object.assign(globalThis, { [LIST]: list });
  return list;
}

/** The element of documents with a list of {@link lateCalls}. */
export function toElement(list: string): string {
  if (list === '') return '';
  return `<meta name="ng-ssr-late-calls" content="${list.replaceAll('&', '&amp;')}">`;
}

/** @param given - Not checked. */
export function hasCalls(given: unknown): boolean {
  return Object.values(Object(given) as object).some((slot) => Object(slot).call !== undefined);
}
