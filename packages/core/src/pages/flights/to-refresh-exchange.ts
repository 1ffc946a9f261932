import type { Exchange } from '../../exchange.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import { valueOf } from '../../http/header-list.ts';
import type { CachedPage } from '../memory/cached-page.ts';

/**
 * The server's own request for the refresh of a stored page. Of the headers of the client whose request
 * triggered it, it has only those that selected the page: a storable page depends on no others, and a
 * session, a media type or a header that the application refuses would yield another page, or none.
 *
 * @param exchange - Of the request that triggered the refresh.
 */
export function toRefreshExchange(exchange: Exchange, { page }: CachedPage): Exchange {
  const vary = valueOf(page.headers, 'vary')?.split(',') ?? [];
  const names = new Set(['host', 'x-forwarded-prefix', ...vary.map(toName)]);
  names.delete('accept-encoding');
  const header = (name: string): string | undefined => {
    if (names.has(name)) return exchange.header(name);
    return name === 'accept' ? 'text/html' : undefined;
  };
  const { target, encrypted } = exchange;
  return {
    method: 'GET',
    target,
    encrypted,
    status: 200,
    header,
    *headers() {
      for (const name of new Set(['accept', ...names])) {
        const value = header(name);
        if (value !== undefined) yield [name, value];
      }
    },
    content: () => Promise.resolve(new Uint8Array()),
  };
}

function toName(text: string): string {
  return trimOws(text).toLowerCase();
}
