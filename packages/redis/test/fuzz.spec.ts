import { withNonce } from '@ng-ssr/core';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type Answer, SsrHandler } from '@ng-ssr/core/adapter';
import { redisPageStore } from '@ng-ssr/redis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withSharedStore } from '@ng-ssr/core';
import { fuzzOptions, Random, stress } from '@ng-ssr/conformance/fuzz';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { FOREIGN, HostileEntries } from '../../conformance/test/processes/hostile-entries.ts';
import { pageKeyOf } from './open-store.ts';
import { leastCount } from '../../conformance/test/least-count.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

const { requests, seed } = fuzzOptions(stress(2_000));
const BATCH = 10;
const NONCE = { placeholder: 'bm9uY2UtaGVyZQ', policy: "script-src 'nonce-bm9uY2UtaGVyZQ'" };
const NOT_IN_AN_ENTRY = ['set-cookie', 'connection', 'transfer-encoding', 'upgrade', 'trailer'];
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'accept-encoding': 'gzip, br, zstd' },
  { 'accept-encoding': 'identity;q=0, *;q=0' },
  { 'if-none-match': '*' },
  { 'if-none-match': '"a", W/"abc"' },
  { 'if-match': '"a"' },
  { 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' },
  { 'if-unmodified-since': 'Fri, 20 Nov 2020 12:00:00 GMT' },
  { range: 'bytes=0-0' },
  { range: 'bytes=-5', 'if-range': '"a"' },
];

describe.skipIf(isRedisServerMissing())('values with a right checksum', () => {
  const server = useRedis();

  for (const nonce of [undefined, NONCE]) {
    const label = nonce === undefined ? 'without' : 'with';
    test(
      `${requests} cost no answer, ${label} nonces`,
      { timeout: 300_000 + requests * 20 },
      async () => {
        console.log(`NG_SSR_FUZZ_SEED=${seed} NG_SSR_FUZZ_REQUESTS=${requests}`);
        const random = new Random(seed);
        const entries = new HostileEntries(random);
        const errors: unknown[] = [];
        const store = redisPageStore({ url: server.url, timeoutMs: 10_000 });
        const handler = new SsrHandler({
          engine: () =>
            new Response('<p>rendered</p>', { headers: { 'content-type': 'text/html' } }),
          allowedHosts: ['localhost'],
          files: { folder: writeBuiltSite({ 'browser/robots.txt': prerendered('') }) },
          cache: { maxBytes: 8 * 1024 * 1024 },
          features: [
            withSharedStore(store, { buildId: 'build' }),
            ...(nonce ? [withNonce(nonce)] : []),
          ],
          onError: (error) => {
            if (!isOfSlowMachine(error)) errors.push(error);
          },
        });
        onTestFinished(() => handler.close());
        await vi.waitFor(() => expect(store.version()).toBeGreaterThan(0));

        let taken = 0;
        const attempt = async (number: number): Promise<void> => {
          const target = `/${label}/${number}`;
          const key = `http://localhost\n${target}`;
          const value = entries.next(key, store.version());
          const headers = random.pick(HEADERS);
          const method = random.pick(['GET', 'GET', 'HEAD']);
          const redisKey = pageKeyOf(key);
          // Another variant, for entries that say that there are some.
          const variantKey = pageKeyOf(`${key}\n\naccept\n-`);
          const variant = entries.next(`${key}\n\naccept\n-`, store.version());
          await Promise.all([
            server.redis.set(redisKey, value, { PX: 60_000 }),
            server.redis.set(variantKey, variant, { PX: 60_000 }),
          ]);
          for (const [asked, sent] of [
            [method, headers],
            ['GET', {}],
          ] as const) {
            const exchange = plainExchange(target, sent, asked);
            const answer = handler.answer(exchange) ?? (await handler.render(exchange));
            if (answer!.headers.some((text) => text.startsWith('ng-ssr; hit'))) taken++;
            const problem = problemOf(answer!, asked);
            if (problem === undefined) continue;
            const shown = value.toString('latin1').slice(0, 2_000);
            throw new Error(
              `seed ${seed}, entry ${number}, ${asked} ${JSON.stringify(sent)}: ${problem}\n${shown}`,
            );
          }
          await server.redis.unlink([redisKey, variantKey]);
        };
        for (let first = 0; first < requests; first += BATCH) {
          const batch = Array.from(
            { length: Math.min(BATCH, requests - first) },
            (_, i) => first + i,
          );
          await Promise.all(batch.map(attempt));
          if (first % (20 * BATCH) === 0) handler.cache.inspect();
        }
        expect(errors).toEqual([]);
        console.log(`${taken} answers came from the store`);
        // Some are entries as good as any, or the cases above would mean nothing.
        // Of 2,000 entries at least 400 answers were made, two of some entries.
        expect(taken).toBeGreaterThanOrEqual(leastCount(requests, 0.12));
      },
    );
  }
});

/** Whether the server did not wait longer for the store: no entry is to blame for that. */
function isOfSlowMachine(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return cause?.code === 'NG_SSR_DEADLINE_PASSED';
}

/** What is wrong with an answer; undefined for nothing. */
function problemOf({ status, headers, body }: Answer, method: string): string | undefined {
  const header = (name: string): string | undefined => {
    const at = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
    return at === -1 ? undefined : headers[at + 1];
  };
  if (status >= 500) return `status ${status}`;
  const present = NOT_IN_AN_ENTRY.find((name) => header(name) !== undefined);
  if (present !== undefined) return `the header ${present}`;
  const length = header('content-length');
  const isWhole = method === 'GET' && status !== 304 && status !== 204;
  if (isWhole && length !== undefined && Number(length) !== (body?.byteLength ?? 0)) {
    return `Content-Length ${length} for ${body?.byteLength ?? 0} bytes`;
  }
  if (!isWhole && body !== null && body.byteLength > 0)
    return 'content in an answer that must have none';
  if (body !== null && Buffer.from(body).includes(FOREIGN)) return 'the page of another key';
  try {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.writeHead(status, headers as string[]);
  } catch (error) {
    return `it cannot be sent: ${String(error)}`;
  }
  return undefined;
}
