import { SsrError } from '../../../errors.ts';

/** By what pages are ordered. `recent`: the most recently used first. */
const ORDERS = ['recent', 'path', 'age', 'ttl', 'bytes', 'hits'] as const;

/** A selection of stored pages. */
export interface PageQuery {
  /** Part of a path or of a tag, in any case. */
  readonly search: string;
  readonly order: (typeof ORDERS)[number];
  readonly isDescending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const MOST_PAGES = 1000;
const MOST_OFFSET = 10_000_000;

/**
 * Reads a query: `search`, `sort` (an order, with `-` before it the other way round), `limit` and `offset`.
 *
 * @throws SsrError `NG_SSR_INSPECTOR_INVALID`
 */
export function readPageQuery(query: string): PageQuery {
  const values = new URLSearchParams(query);
  const sort = values.get('sort') ?? 'recent';
  const isDescending = sort.startsWith('-');
  const name = isDescending ? sort.slice(1) : sort;
  const order = ORDERS.find((each) => each === name);
  if (order === undefined) {
    throw invalid('sort', sort, `${ORDERS.join(', ')}, and "-" before it for the other way round`);
  }
  return {
    search: (values.get('search') ?? '').toLowerCase(),
    order,
    isDescending,
    limit: readCount(values, 'limit', 100, MOST_PAGES),
    offset: readCount(values, 'offset', 0, MOST_OFFSET),
  };
}

function readCount(values: URLSearchParams, name: string, missing: number, most: number): number {
  const value = values.get(name);
  if (value === null) return missing;
  if (!/^\d{1,8}$/.test(value) || Number(value) > most) {
    throw invalid(name, value, `a whole number from 0 to ${most}`);
  }
  return Number(value);
}

function invalid(name: string, value: string, allowed: string): SsrError {
  const message = `the query has ${name} ${JSON.stringify(value)}; allowed: ${allowed}`;
  return new SsrError('NG_SSR_INSPECTOR_INVALID', message);
}
