import type { Exchange } from './exchange.ts';

/** Stands for a request that throws when it is read: its failure is reported, and answered with a 500. */
export const UNREADABLE_REQUEST: Exchange = Object.freeze({
  method: 'GET',
  target: '/',
  encrypted: false,
  status: 200,
  header: () => undefined,
  headers: () => [],
  content: () => Promise.resolve(undefined),
});
