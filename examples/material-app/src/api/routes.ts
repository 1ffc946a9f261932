import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiAnswer, ApiRequest, ApiRoute } from './api-route';
import { account, changePrice, product, products, reviews, stock } from './shop';
import { userOf } from './visitor';

const LONGEST_MS = 10_000;
const HIGHEST_PRICE = 10_000;
/** What staff changes prices with; the endpoint for purges takes the same one. */
const token = process.env['PURGE_TOKEN'];

/** The shop's API: each server maps these routes in the way of its framework. */
export const apiRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/api/products',
    answer: async (request) => cacheable(request, products(), 60, ['products']),
  },
  {
    method: 'GET',
    path: '/api/products/:id',
    answer: async (request) => {
      const id = idOf(request);
      return cacheable(request, product(id), 60, ['products', `product-${id}`]);
    },
  },
  {
    method: 'GET',
    path: '/api/stock/:id',
    answer: async (request) => cacheable(request, stock(idOf(request)), 5, ['stock']),
  },
  {
    method: 'GET',
    path: '/api/reviews/:id',
    answer: async (request) => {
      const id = idOf(request);
      return cacheable(request, reviews(id), 300, [`reviews-${id}`]);
    },
  },
  {
    method: 'POST',
    path: '/api/products/:id/price',
    answer: async (request) => {
      if (!token || request.header('authorization') !== `Bearer ${token}`) {
        return json(401, { error: 'prices are changed with the token of PURGE_TOKEN' });
      }
      const price = Number(request.query.get('euros') || Number.NaN);
      if (!(price > 0 && price <= HIGHEST_PRICE)) {
        return json(400, { error: `?euros= is a number up to ${HIGHEST_PRICE}` });
      }
      const changed = changePrice(idOf(request), price);
      return changed ? json(200, changed) : notFound();
    },
  },
  {
    method: 'GET',
    path: '/api/account',
    answer: async (request) =>
      json(200, account(userOf(request.header('cookie'))), { 'Cache-Control': 'private' }),
  },
  {
    // A courier who takes his time: `?ms=` milliseconds.
    method: 'GET',
    path: '/api/slow',
    answer: async ({ query }) => {
      const ms = Number(query.get('ms') ?? 1000);
      await wait(Math.min(Math.max(Math.trunc(ms) || 0, 0), LONGEST_MS));
      return json(200, { courier: 'Harbour Post', days: 2 }, { 'Cache-Control': 'no-store' });
    },
  },
  {
    // A courier who never answers.
    method: 'GET',
    path: '/api/hung',
    answer: () => new Promise(() => {}),
  },
];

/** An answer for shared caches, with a validator and with tags to purge it by; 404 without a value. */
function cacheable(
  request: ApiRequest,
  value: object | undefined,
  seconds: number,
  tags: readonly string[],
): ApiAnswer {
  if (value === undefined) return notFound();
  const tag = `"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`;
  const answer = json(200, value, {
    'Cache-Control': `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=60`,
    'Cache-Tag': tags.join(', '),
    ETag: tag,
  });
  const isKnown = request.header('if-none-match')?.includes(tag) === true;
  return isKnown ? { ...answer, status: 304, body: '' } : answer;
}

function notFound(): ApiAnswer {
  return json(404, { error: 'there is no such piece' }, { 'Cache-Control': 'no-store' });
}

function json(status: number, value: object, headers: ApiAnswer['headers'] = {}): ApiAnswer {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(value) };
}

function idOf({ params }: ApiRequest): string {
  return String(params['id'] ?? '');
}
