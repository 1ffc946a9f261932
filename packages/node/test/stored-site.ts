import { setImmediate as turn } from 'node:timers/promises';
import {
  type PageStore,
  type Purge,
  type StoredPages,
  withPurgeEndpoint,
  withSharedStore,
} from '@ng-ssr/core';
import { expect } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

/** Where purges go, and what they carry. */
export const PURGE_ENDPOINT = { path: '/_cache/purge', token: 'a-token-for-purges-in-tests' };

/** Headers of a request for a purge. */
export const PURGE_HEADERS = {
  host: '127.0.0.1',
  authorization: `Bearer ${PURGE_ENDPOINT.token}`,
  'content-type': 'application/json',
};

/** A shared store that holds nothing and remembers what it was told. */
class TestStore implements PageStore {
  readonly purges: Purge[] = [];
  isClosed = false;
  open(): void {}
  version = (): number => 0;
  get = async (): Promise<undefined> => undefined;
  set = async (): Promise<void> => undefined;
  delete = async (): Promise<void> => undefined;
  lease = async (): Promise<undefined> => undefined;
  purge = async (purge: Purge): Promise<void> => void this.purges.push(purge);
  async close(): Promise<void> {
    await turn();
    this.isClosed = true;
  }
}

/** Options of a server whose rendered pages are stored and say how many were rendered before. */
export function createStoredSite() {
  let renders = 0;
  const store = new TestStore();
  const engine = (): Response =>
    new Response(`render ${++renders}`, {
      headers: { 'cache-control': 's-maxage=60', 'cache-tag': 'letters' },
    });
  const options = {
    engine,
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
    features: [withPurgeEndpoint(PURGE_ENDPOINT), withSharedStore(store)],
  };
  return { options, store };
}

/**
 * What an adapter offers as `cache`.
 *
 * @param get - Asks the adapter for a page, and gives its text.
 */
export async function expectStoredPages(
  cache: StoredPages,
  store: TestStore,
  get: (target: string) => Promise<string>,
): Promise<void> {
  expect([await get('/a'), await get('/a')]).toEqual(['render 1', 'render 1']);
  expect(cache.inspect()).toMatchObject({
    count: 1,
    pages: [{ path: '/a', status: 200, state: 'fresh', tags: ['letters'] }],
  });
  const purged = await cache.purge({ tag: 'letters', hard: true }, { count: true });
  expect(purged).toEqual({ here: 1, elsewhere: ['store'] });
  expect(store.purges).toEqual([{ tag: 'letters', hard: true }]);
  expect(cache.inspect().pages).toEqual([]);
  expect(await get('/a')).toBe('render 2');
  const refreshed = { refreshed: 1, failed: [], notStored: [], skipped: [] };
  expect(await cache.refresh({ tag: 'letters' })).toEqual(refreshed);
  expect([await get('/a'), await get('/a')]).toEqual(['render 3', 'render 3']);
  await expect(cache.purge({})).rejects.toMatchObject({ code: 'NG_SSR_PURGE_INVALID' });
}

/**
 * What a server offers as `cache`, and that its end closes the shared store.
 *
 * @param toGet - How the server is asked; by default it listens.
 */
export async function expectServerOfStoredPages<Server extends StoringServer>(
  create: (options: ReturnType<typeof createStoredSite>['options']) => Server,
  toGet: (server: Server) => Promise<(target: string) => Promise<string>> = listenAndGet,
): Promise<void> {
  const { options, store } = createStoredSite();
  const server = create(options);
  await expectStoredPages(server.cache, store, await toGet(server));
  expect(store.isClosed).toBe(false);
  await server.close();
  expect(store.isClosed).toBe(true);
}

interface StoringServer {
  readonly cache: StoredPages;
  readonly listen?: (options: { port: 0; announce: false }) => Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

async function listenAndGet({ listen }: StoringServer) {
  const { port } = await listen!({ port: 0, announce: false });
  return getFrom(port);
}

/** Asks the server on a port. */
export function getFrom(port: number): (target: string) => Promise<string> {
  return async (target) => (await fetch(`http://127.0.0.1:${port}${target}`)).text();
}

/** Sends a purge to the server on a port. */
export async function purgeOn(port: number, body: string, type = 'application/json') {
  const headers = { ...PURGE_HEADERS, 'content-type': type };
  const { path } = PURGE_ENDPOINT;
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
}

/**
 * A server with the routes POST `/p` (204) and POST `/refused` (403): the one invalidates the stored
 * page of its path, the other does not.
 */
export async function expectInvalidation(
  send: (url: string, init?: RequestInit) => Promise<Response>,
  origin: string,
): Promise<void> {
  const get = async (path: string): Promise<string> => (await send(origin + path)).text();
  for (const [path, status, isInvalidated] of [
    ['/refused', [403, 403], false],
    ['/p', [200, 204], true],
  ] as const) {
    const before = await get(path);
    expect(await get(path)).toBe(before);
    const response = await send(origin + path, { method: 'POST' });
    expect(status).toContain(response.status);
    expect((await get(path)) !== before, path).toBe(isInvalidated);
  }
}

/** Renders the path it is asked for, to be stored. */
export function echoPath({ url }: Request): Response {
  return new Response(new URL(url).pathname, { headers: { 'cache-control': 's-maxage=60' } });
}

/**
 * Below a mount at `/shop`, whose engine is {@link echoPath}, each path has its own page, stored or
 * not.
 */
export async function expectWholeTargets(get: (target: string) => Promise<string>): Promise<void> {
  for (const target of ['/shop/p', '/shop/shop/p', '/shop/p', '/shop/shop/shop/p']) {
    expect(await get(target)).toBe(target);
  }
}
