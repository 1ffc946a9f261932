import { type CallEvent, channelOf, withCalls } from '@ng-ssr/core';
import { expect, it, onTestFinished } from 'vitest';
import { html, storedServer } from '../../pages/stored-server.ts';
import { startApi } from './api-server.ts';

/** Ways in which libraries fetch a key set or a configuration once for the program. */
const INITS: Record<string, () => RequestInit> = {
  'a plain call': () => ({}),
  'a call with a time of its own, as jose makes': () => ({ signal: AbortSignal.timeout(60_000) }),
};

it.each(Object.keys(INITS))(
  '%s whose promise a module keeps answers other renders, however the first one ends',
  async (name) => {
    for (const first of ['/early', '/fails']) {
      const api = await startApi();
      let kept: Promise<string> | undefined;
      /** A second call follows, as the key set follows the discovery document. */
      const load = (): Promise<string> =>
        (kept ??= fetch(`${api.origin}/held`, INITS[name]!())
          .then((response) => response.text())
          .then(
            async (text) => `${text} ${(await fetch(`${api.origin}/status?code=201`)).status}`,
          ));
      const server = storedServer(
        async ({ url }) => {
          const text = load();
          if (url.endsWith('/early')) return html('early', {});
          if (url.endsWith('/fails')) throw new Error('the page');
          return html(await text, {});
        },
        // The time of a render is also that of a call that no render waits for.
        { features: [withCalls({ '**': {} })], render: { maxWaitMs: 60_000, timeoutMs: 60_000 } },
      );
      await server.get(first, { cookie: 'user=ann' });
      const second = server.get('/second');
      await expect.poll(() => api.received.map(({ url }) => url)).toEqual(['/held']);
      await expect.poll(() => server.requests.length).toBe(2);
      api.release();
      expect((await second).text).toContain('held 201');
      await server.handler.close();
    }
  },
);

it('content that no page has read is taken, and keeps no connection', async () => {
  const api = await startApi();
  const events: CallEvent[] = [];
  const listener = (event: CallEvent): void => void events.push(event);
  channelOf('ng-ssr:call').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:call').unsubscribe(listener));
  const responses: Response[] = [];
  const server = storedServer(
    async () => {
      responses.push(await fetch(`${api.origin}/bytes?count=300000`));
      return html('ok', {});
    },
    { features: [withCalls({ '**': {} })] },
  );
  await server.get('/p');
  await expect.poll(() => events).toMatchObject([{ status: 200, bytes: 300_000 }]);
  expect(await responses[0]!.text()).toHaveLength(300_000);
});

it('calls that no render waits for end when the server closes', async () => {
  const api = await startApi();
  let kept: Promise<unknown> | undefined;
  const server = storedServer(
    async () => {
      kept = fetch(`${api.origin}/hung`).catch((error: unknown) => error);
      return html('early', {});
    },
    { features: [withCalls({ '**': {} })] },
  );
  await server.get('/p');
  await expect.poll(() => api.received.length).toBe(1);
  await server.handler.close();
  expect(await kept).toMatchObject({ code: 'NG_SSR_CALL_ENDED' });
  await expect.poll(() => api.abandoned).toEqual(['/hung']);
});
