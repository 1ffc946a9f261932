import type { Exchange } from '../exchange.ts';
import { trimOws } from '../http/optional-whitespace.ts';
import { valueOf } from '../http/header-list.ts';
import type { HeldPage } from './held-page.ts';

/**
 * The request a stored page is rendered again for, behind somebody's answer: the server's own. Of that
 * client's fields it has those which chose the page, and no others: a page that may be stored says
 * that it depends on no more, and a session, a media type or a field that the application refuses
 * would make it another page, or none.
 *
 * @param exchange - Of the request behind which it runs.
 */
export function toRefreshExchange(exchange: Exchange, { page }: HeldPage): Exchange {
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
