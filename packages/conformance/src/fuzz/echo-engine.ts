import type { RenderEngine, RouteRule } from '@ng-ssr/core';

/** The route rules for {@link echoEngine}. */
export const ECHO_RULES: Readonly<Record<string, RouteRule>> = {
  '/account': { cache: false },
  '/shared/**': { sMaxAge: 60, vary: { cookies: ['lang'] } },
};

/**
 * Pages that show the engine's input, so that a page for the wrong client is detected. Paths
 * are read as Angular's router reads them: `/account/`, `/account;x=1` and `/(account)` are
 * `/account`.
 */
export function echoEngine(): RenderEngine {
  return (request) => {
    const route = routeOf(new URL(request.url).pathname);
    const { headers } = request;
    const all = [...headers].map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join('\n');
    const page = (text: string, headers: Record<string, string> = {}, status = 200): Response =>
      new Response(`<!doctype html><pre>${route}\n${text}</pre>`, {
        status,
        headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
      });
    const stored = { 'cache-control': 's-maxage=60, stale-while-revalidate=5' };
    if (route.startsWith('/p/')) return page('public', stored);
    if (route.startsWith('/shared/')) return page(all);
    switch (route) {
      case '/account':
        return page(all, stored);
      case '/private':
        return page(all, { 'cache-control': 'private, max-age=60' });
      case '/auth':
        // s-maxage would let a shared cache keep it (RFC 9111 section 3.5).
        return page(headers.get('authorization') ?? '', { 'cache-control': 'max-age=60' });
      case '/cookie':
        return page('', { ...stored, 'set-cookie': headers.get('cookie') ?? 'none=1' });
      case '/vary':
        return page(languageLine(headers.get('accept-language') ?? ''), {
          ...stored,
          vary: 'Accept-Language',
        });
      case '/redirect':
        return new Response(null, { status: 302, headers: { location: '/p/1' } });
      case '/gone':
        return page('gone', stored, 410);
      case '/empty':
        return new Response(null, { status: 204, headers: stored });
      case '/null':
        return null;
      case '/boom':
        throw new Error('a page of the fuzz that fails');
      case '/unsendable':
        return page('', { ...stored, 'x-broken': 'a\u0001b' });
      default:
        return page('not found', { 'cache-control': 's-maxage=1' }, 404);
    }
  };
}

/** Routes of {@link echoEngine} that the server answers with a 500. */
export const FAILING_ROUTES: readonly string[] = ['/boom', '/unsendable'];

/** The line in which `/vary` shows the requested language. */
export function languageLine(language: string): string {
  return `language=${JSON.stringify(language)}`;
}

/** The route that Angular's router finds for a path: its primary outlet, without matrix parameters. */
export function routeOf(path: string): string {
  // As Angular's Location does: once, at the very end, and with any character for the dot.
  const stripped = unescapeUnreserved(path).replace(/\/index.html$/, '');
  const inner = /^\/\((?:primary:)?([^():]*)\)$/.exec(stripped)?.[1] ?? stripped;
  const segments = inner
    .replace(/\(.*$/, '')
    .split('/')
    .map((segment) => decode(segment.replace(/;.*$/, '')))
    .filter((segment) => segment !== '');
  return `/${segments.join('/')}`;
}

/** The server normalises escapes that are not needed before it renders (RFC 3986 section 6.2.2.2). */
function unescapeUnreserved(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape;
  });
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
