import { expect, it } from 'vitest';
import { countWork } from '../path/count-work.ts';
import { plainExchange } from '../plain-exchange.ts';
import { html, storedServer } from './stored-server.ts';

const HEADERS = {
  cookie: 'user=ann; theme=dark',
  'accept-language': 'de-AT, de;q=0.5',
  'accept-encoding': 'gzip, br',
  'x-kind': 'a',
};

it.each([
  ['by its own word', '/own?a=1&utm_source=x', {}],
  ['that varies', '/vary', {}],
  ['of a rule', '/rule?page=2&x=1', {}],
  ['that is not modified', '/own', { 'if-none-match': '*' }],
])(
  'a hit of a page %s runs no regular expression, promise, URL, Request, fs, hash or encoding',
  async (_name, target, more) => {
    const server = storedServer(
      (request) =>
        html('page', {
          'cache-control': 's-maxage=3600',
          ...(request.url.includes('/vary') && { vary: 'x-kind, cookie, accept-language' }),
        }),
      {
        files: { encodings: [] },
        cache: { languages: ['en', 'de'] },
        routeRules: {
          '/rule': {
            sMaxAge: 3600,
            vary: { query: ['page'], cookies: ['theme'], headers: ['accept-language', 'x-kind'] },
          },
        },
      },
    );
    const headers = { ...HEADERS, ...more };
    await server.get(target, headers);
    await server.get(target, headers);
    const exchange = plainExchange(target, headers);
    let answer: { status: number } | undefined;
    const work = countWork(() => {
      answer = server.handler.answer(exchange);
    });
    expect(answer?.status).toBe('if-none-match' in more ? 304 : 200);
    expect(work).toEqual({});
  },
);
