import type { RouteRule } from '@ng-ssr/core';
import { FAILURE_TEXT, halfway, html, stubPage, type StubPage } from './stub-pages.ts';

/** The languages of the stub engine's application. */
export const LANGUAGES = ['en', 'de'];

/** The Cache-Control of pages that may be stored. */
export const STORED = 'public, s-maxage=60, stale-while-revalidate=60';

/** The rules of the profile `stored pages`. */
export const ROUTE_RULES: Readonly<Record<string, RouteRule>> = {
  '/stored/shared/**': {
    sMaxAge: 60,
    staleWhileRevalidate: 30,
    tags: ['shared'],
    vary: { query: ['page'], headers: ['accept-language'] },
  },
  '/stored/ruled-out/**': { cache: false },
  '/stored/page/account': { cache: false },
  // The page at the path of the suite's POST route.
  '/form': { sMaxAge: 60, staleWhileRevalidate: 60, vary: { query: ['a'] } },
};

/** The header of these pages with their number of renders, which their content shows too. */
export const RENDER_HEADER = 'X-Render';

/** The ETag that pages of the kind `own-tag` state themselves. */
export const OWN_TAG = '"of-the-page"';

/** The tag of a page, beside `stored`, which all have. */
export function tagOf(path: string): string {
  return path.slice(1).replaceAll('/', '-');
}

function answer(
  content: string | null,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): StubPage {
  return ({ url }, render) => {
    const { pathname, search } = new URL(url);
    const stated = {
      'Cache-Control': STORED,
      'Cache-Tag': `stored, ${tagOf(pathname)}`,
      [RENDER_HEADER]: String(render),
      ...headers,
    };
    if (content === null) return new Response(null, { status, headers: stated });
    return html(`${content} ${pathname}${search}, render ${render}`, { status, headers: stated });
  };
}

/** Chooses the language by Accept-Language. */
const greeting: StubPage = (seen, render) =>
  answer(`Hello in ${seen.headers['accept-language']} at`, { Vary: 'Accept-Language' })(
    seen,
    render,
  );

const page = answer('Page');

/** A page with the element of an island, and the script of an application. */
const islands: StubPage = () =>
  new Response(
    stubPage('Islands').replace(
      '</app-root>',
      '<app-user ngskiphydration="" data-slot="island"><i>nobody</i></app-user></app-root>' +
        '<script src="main-ABCDEFGH.js" type="module"></script>',
    ),
    { headers: { 'Cache-Control': STORED, 'Content-Type': 'text/html; charset=utf-8' } },
  );

/**
 * Kinds of pages that declare how they may be stored. Each has any number of pages,
 * `/stored/<kind>/...`, so that each case has its own.
 */
const kinds: Readonly<Record<string, StubPage>> = {
  page,
  slow: page,
  missing: answer('Missing', {}, 404),
  gone: answer('Gone', {}, 410),
  moved: answer(null, { Location: '/stored/page/new' }, 301),
  empty: answer(null, {}, 204),
  greeting,
  'own-tag': answer('Own tag', { ETag: OWN_TAG }),
  'odd-vary': answer('Odd', { Vary: 'constructor, __proto__, toString' }),
  personal: answer('Personal', { 'Cache-Control': 'max-age=60' }),
  cookie: answer('Cookie', { 'Set-Cookie': 'basket=1; Path=/' }),
  private: answer('Private', { 'Cache-Control': 'private, max-age=60' }),
  'no-store': answer('No-store', { 'Cache-Control': 'no-store' }),
  silent: ({ url }, render) => html(`Silent ${url}, render ${render}`),
  unavailable: answer('Unavailable', {}, 503),
  'ruled-out': page,
  slots: page,
  islands,
  shared: ({ url }, render) => html(`Shared ${url}, render ${render}`),
  throws: (seen, render) => {
    if (render === 1) throw new Error(FAILURE_TEXT);
    return page(seen, render);
  },
  'breaks-off': (seen, render) => (render === 1 ? halfway() : page(seen, render)),
};

/** The page of a path below `/stored`, or undefined. */
export function storedStubPage(path: string): StubPage | undefined {
  const [, kind] = /^\/stored\/([\w-]+)\/./.exec(path) ?? [];
  return kind === undefined ? undefined : kinds[kind];
}
