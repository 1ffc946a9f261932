import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { type PageStore, type SsrOptions, withCalls, withSharedStore } from '@ng-ssr/core';
import { type Exchange, SsrHandler } from '@ng-ssr/core/adapter';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

/** Of the test of isolation; NG_SSR_FUZZ_REQUESTS makes it longer. */
const REQUESTS = Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? 2_000);
const CLIENTS = 32;
const TOKEN = /tokenOf[A-Za-z]+\d+x/g;

type HeaderRecord = Readonly<Record<string, string>>;

type Ask = (target: string, headers?: HeaderRecord) => Promise<string>;

function exchange(target: string, headers: HeaderRecord): Exchange {
  const all: Record<string, string | undefined> = { host: 'localhost', ...headers };
  return {
    ...{ method: 'GET', target, encrypted: false, status: 200 },
    header: (name) => (Object.hasOwn(all, name) ? all[name] : undefined),
    headers: () => Object.entries(all).map(([name, value]) => [name, value ?? '']),
    content: () => Promise.resolve(new Uint8Array()),
  };
}

/** A store that two processes share. */
export interface StoreOfCalls {
  createStore(): PageStore;
  /** Every value of the store, as Latin-1, with its name and its build. */
  values(): Promise<string[]>;
  stop(): Promise<void>;
}

export function defineStoredCallsSuite(name: string, start: () => Promise<StoreOfCalls>): void {
  describe(`calls in ${name}`, () => {
    let shared: StoreOfCalls;
    let origin: string;
    let asked = 0;
    let answer: (request: IncomingMessage, response: ServerResponse) => void;
    const api = createServer((request, response) => {
      asked++;
      request.resume();
      answer(request, response);
    });
    const site = mkdtempSync(join(tmpdir(), 'ng-ssr-calls-'));

    beforeAll(async () => {
      shared = await start();
      await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    });
    afterAll(async () => {
      api.closeAllConnections();
      api.close();
      rmSync(site, { recursive: true, force: true });
      await shared?.stop();
    });

    /** A server as one process has it: its pages call the API with their own target. */
    function server(buildId: string, options: Partial<SsrOptions>): Ask {
      const handler = new SsrHandler({
        engine: async (request) => {
          const { pathname, search, searchParams } = new URL(request.url);
          const method = searchParams.get('method') ?? 'GET';
          const path = `/${pathname.split('/')[2]}${search.replace(/method=\w+&?/, '')}`;
          const response = await fetch(origin + path, { method, credentials: 'include' });
          return new Response(await response.text(), { headers: { 'content-type': 'text/html' } });
        },
        allowedHosts: ['localhost'],
        files: { folder: site },
        ...options,
        features: [withSharedStore(shared.createStore(), { buildId }), ...(options.features ?? [])],
      });
      onTestFinished(() => handler.close());
      handlers.push(handler);
      return async (target, headers = {}) => {
        const asked = exchange(target, headers);
        const { body } = handler.answer(asked) ?? (await handler.render(asked)) ?? { body: null };
        return Buffer.from(body ?? []).toString();
      };
    }
    let handlers: SsrHandler[] = [];

    /** Waits until both processes are connected: a call of one then answers the other. */
    async function untilShared(one: Ask, other: Ask): Promise<void> {
      let number = 0;
      await vi.waitFor(async () => {
        const target = `/page/warm?${++number}`;
        await one(target);
        // What one has sent to the store is there when the store has answered the other.
        await other(`${target}&other`);
        const before = asked;
        await other(target);
        expect(asked).toBe(before);
      }, 30_000);
    }

    test.each([
      ['a purge of its tag', { tag: 'news' }],
      ['a purge of everything', { prefix: '/', hard: true }],
    ])('a call of one process answers another, until %s', async (title, purge) => {
      handlers = [];
      let value = 1;
      answer = (_request, response) => {
        response.writeHead(200, { 'cache-control': 'max-age=60', 'cache-tag': 'news' });
        response.end(`value ${value}`);
      };
      const calls = { '**': { cache: 'shared' } } as const;
      const [one, other] = [1, 2].map(() =>
        server(title.replaceAll(' ', '-'), { features: [withCalls(calls)] }),
      );
      await untilShared(one!, other!);
      const before = asked;
      expect(await one!('/page/item')).toBe('value 1');
      await vi.waitFor(async () => {
        expect((await shared.values()).some((text) => text.includes('value 1'))).toBe(true);
      });
      expect(await other!('/page/item')).toBe('value 1');
      expect(asked).toBe(before + 1);
      value = 2;
      await handlers[0]!.cache.purge(purge);
      await vi.waitFor(async () => expect(await other!('/page/item')).toBe('value 2'));
      expect(await one!('/page/item')).toBe('value 2');
    });

    test('environments that share it do not share calls, though the build and the URL are the same', async () => {
      handlers = [];
      const options = {
        features: [withCalls({ '**': { cache: 'shared' } })],
        allowedHosts: ['localhost', 'staging.localhost'],
      } as const;
      answer = (_request, response) => {
        response.writeHead(200, { 'cache-control': 'max-age=60' }).end(`environment ${asked}`);
      };
      const [one, other, staging] = [1, 2, 3].map(() => server('environments', options));
      await untilShared(one!, other!);
      const host = { host: 'staging.localhost' };
      await untilShared(one!, (target) => staging!(target));
      const ofOne = await one!('/page/item?kept');
      await vi.waitFor(async () => {
        expect((await shared.values()).some((text) => text.includes(ofOne))).toBe(true);
      });
      const before = asked;
      expect(await other!('/page/item?kept')).toBe(ofOne);
      expect(asked).toBe(before);
      const ofStaging = await staging!('/page/item?kept', host);
      expect(ofStaging).not.toBe(ofOne);
      expect(asked).toBe(before + 1);
      // Nor do they write over each other's.
      expect(await other!('/page/item?kept')).toBe(ofOne);
      expect(await staging!('/page/item?kept', host)).toBe(ofStaging);
    });

    test('an unsafe call of one process removes the stored response of all', async () => {
      handlers = [];
      let value = 1;
      answer = (_request, response) => {
        response.writeHead(200, { 'cache-control': 'max-age=60' }).end(`value ${value}`);
      };
      const calls = { '**': { cache: 'shared' } } as const;
      const [one, other] = [1, 2].map(() => server('unsafe', { features: [withCalls(calls)] }));
      await untilShared(one!, other!);
      expect(await one!('/page/item?a=1')).toBe('value 1');
      await vi.waitFor(async () => {
        expect(
          (await shared.values()).some(
            (text) => text.includes('unsafe') && text.includes('value 1'),
          ),
        ).toBe(true);
      });
      expect(await other!('/page/item?a=1')).toBe('value 1');
      value = 2;
      await one!('/page/item?method=POST&a=1');
      await vi.waitFor(async () => expect(await other!('/page/item?a=1')).toBe('value 2'));
    });

    test('mixed requests with cookies and tokens: no page, no call and no value of the store has a foreign one', async () => {
      console.log(`NG_SSR_FUZZ_SEED=${seed}`);
      const random = new Random(seed);
      handlers = [];
      asked = 0;
      // The API shows what it gets, and says to everybody that all may have it.
      answer = ({ headers }, response) => {
        response.setHeader(
          'cache-control',
          random.pick(['public, max-age=60', 'max-age=60', 's-maxage=60, max-age=0']),
        );
        const shown = JSON.stringify([headers.cookie, headers.authorization, headers['x-session']]);
        setTimeout(() => response.end(shown), random.below(4));
      };
      const options: Partial<SsrOptions> = {
        features: [
          withCalls({
            '**': {
              cache: {
                staleWhileRevalidate: 60,
                staleIfError: 60,
                vary: { cookies: ['currency'] },
              },
              forward: ['cookie', 'authorization', 'x-session'],
            },
          }),
        ],
        routeRules: {
          '/shared/**': { sMaxAge: 60, vary: { cookies: ['currency'] } },
          '/calls/**': { freshness: 'calls', vary: { cookies: ['currency'] } },
        },
        render: { concurrency: CLIENTS, maxWaitMs: 60_000 },
      };
      const servers = [1, 2].map(() => server('mixed', options));
      const wrong: string[] = [];
      let sent = 0;
      const shown = { own: 0, none: 0 };
      const client = async (): Promise<void> => {
        while (sent < REQUESTS) {
          const number = ++sent;
          const cookies = [
            ...(random.chance(0.4) ? [`sid=tokenOfCookie${number}x`] : []),
            ...(random.chance(0.5) ? [`currency=${random.pick(['EUR', 'CHF'])}`] : []),
          ];
          const headers = {
            ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
            ...(random.chance(0.2) && { authorization: `Bearer tokenOfBearer${number}x` }),
            ...(random.chance(0.1) && { 'x-session': `tokenOfSession${number}x` }),
          };
          const target = `/${random.pick(['own', 'own', 'shared', 'calls'])}/${random.below(10)}`;
          const text = await random.pick(servers)(target, headers);
          const own = JSON.stringify(headers);
          const tokens = text.match(TOKEN) ?? [];
          shown[tokens.length > 0 ? 'own' : 'none']++;
          const isForeign = tokens.some((token) => !own.includes(token));
          const currency = /currency=(\w+)/.exec(text)?.[1];
          const isOther = currency !== undefined && !own.includes(`currency=${currency}`);
          if (isForeign || isOther || !text.startsWith('['))
            wrong.push(`${target} ${own}: ${text}`);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      console.log(
        `${sent} requests, ${asked} calls of the API; pages with tokens: ${JSON.stringify(shown)}`,
      );
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(Math.min(shown.own, shown.none)).toBeGreaterThan(REQUESTS / 20);
      // What was stored has answered many.
      expect(asked).toBeLessThan(REQUESTS * 0.8);
      const values = await shared.values();
      expect(values.some((text) => text.includes('mixed'))).toBe(true);
      const kept = values.flatMap((text) => text.match(TOKEN) ?? []);
      // X-Session is part of the key of a call.
      expect(kept.filter((token) => !token.startsWith('tokenOfSession'))).toEqual([]);
    });
  });
}
