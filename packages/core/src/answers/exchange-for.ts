import type { Answer, Exchange } from '../exchange.ts';
import { valueOf } from '../http/header-list.ts';

type Head = Pick<Answer, 'status' | 'headers'>;

/** Whether an answer is a page that a feature can complete. */
export function isPage({ status, headers }: Head): boolean {
  if (status !== 200 || valueOf(headers, 'content-encoding') !== undefined) return false;
  return valueOf(headers, 'content-type')?.startsWith('text/html') === true;
}

/** The request that selects the encoding of an answer and has preconditions: see {@link Exchange.client}. */
export function exchangeFor(answer: Head, exchange: Exchange): Exchange {
  const { client } = exchange;
  return client === undefined || isPage(answer) ? exchange : client;
}
