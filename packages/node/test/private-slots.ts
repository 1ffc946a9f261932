import { EventEmitter, once } from 'node:events';
import { withSlots } from '@ng-ssr/node/server';
import { expect } from 'vitest';
import { createStoredSite } from './stored-site.ts';

/** Headers with which middleware would have caches keep a response. */
export const FOR_CACHES = {
  'cache-control': 'public, max-age=60',
  'cdn-cache-control': 'max-age=60',
  etag: '"a"',
  vary: 'origin',
};

const HEADERS = { 'content-type': 'text/html', 'cache-control': 's-maxage=60' };

/** A site whose pages have a slot, for requests with a cookie. */
export const slottedSite = (): ReturnType<typeof createStoredSite>['options'] => ({
  ...createStoredSite().options,
  engine: () => new Response('<html><body>a page</body></html>', { headers: HEADERS }),
  features: [withSlots({ name: { fill: () => 'ann' } })],
});

/** A site whose slot never comes; resolves when its fill begins, and when its signal is aborted. */
export function hangingSite() {
  const events = new EventEmitter();
  const [begun, aborted] = [once(events, 'begun'), once(events, 'aborted')];
  const fill = (
    _request: Request,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<never> => {
    signal.addEventListener('abort', () => events.emit('aborted'));
    events.emit('begun');
    return new Promise(() => undefined);
  };
  // Longer than a test may take.
  const features = [withSlots({ name: { fill, timeoutMs: 60_000 } })];
  return {
    ...{ begun, aborted },
    options: { ...slottedSite(), features },
  };
}

/** Before the time of the hanging fill is over. */
export const SOON = 20_000;

/** A page with slots stays private, and the same page without them has what middleware sets. */
export async function expectPrivate(origin: string): Promise<void> {
  const plain = await fetch(`${origin}/page`);
  expect(plain.headers.get('cache-control')).toBe(FOR_CACHES['cache-control']);
  const response = await fetch(`${origin}/page`, { headers: { cookie: 'a=b' } });
  expect(await response.text()).toContain('data-ng-ssr-slot="name"');
  const { headers } = response;
  expect(headers.get('cache-control')).toBe('private, no-cache, no-transform');
  for (const name of ['cdn-cache-control', 'etag']) expect(headers.get(name)).toBeNull();
  for (const name of ['origin', 'cookie']) {
    expect(headers.get('vary')?.toLowerCase()).toContain(name);
  }
}
