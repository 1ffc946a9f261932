import { type Answer, type Exchange, SsrHandler } from '@ng-ssr/core/adapter';
import { createFixtureSite } from '@ng-ssr/conformance';
import {
  ECHO_RULES,
  echoEngine,
  fuzzOptions,
  type HostileRequest,
  HostileRequests,
  problemsOf,
  Random,
  stress,
} from '@ng-ssr/conformance/fuzz';
import { expect, it } from 'vitest';
import { BATCHES, leastGrowth } from '../../core/test/render/held-bytes.ts';

const { requests, seed } = fuzzOptions(stress(30_000));
const AT_A_TIME = 50;
const MIB = 1024 * 1024;
/** What a request may leave in memory: less than its Request needs. */
const MOST_BYTES_EACH = 2000;

/** Errors that the pages and hosts of the fuzz cause. */
const EXPECTED_CODES = new Set([
  'NG_SSR_HOST_NOT_ALLOWED',
  'NG_SSR_RENDER_FAILED',
  'NG_SSR_RESPONSE_INVALID',
]);

it(`answers ${requests} hostile requests, seed ${seed}`, { timeout: 0 }, async () => {
  const site = await createFixtureSite();
  const codes = new Set<string>();
  const handler = new SsrHandler({
    engine: echoEngine(),
    allowedHosts: ['localhost'],
    files: { folder: site.browserFolder },
    errorDetails: false,
    cache: { maxBytes: 2 * MIB },
    routeRules: ECHO_RULES,
    onError: ({ code }) => codes.add(code),
  });
  try {
    await handler.ready();
    const hostile = new HostileRequests(new Random(seed));
    const askAll = async (most: number): Promise<void> => {
      for (let asked = 0; asked < most; asked += AT_A_TIME) {
        const group = Array.from({ length: AT_A_TIME }, () => hostile.next());
        await Promise.all(group.map((request) => ask(handler, request)));
      }
    };
    await askAll(requests / 2);
    const batch = requests / 2 / BATCHES;
    const grown = await leastGrowth(() => askAll(batch), batch * MOST_BYTES_EACH);
    expect([...codes].filter((code) => !EXPECTED_CODES.has(code))).toEqual([]);
    expect(grown / batch).toBeLessThan(MOST_BYTES_EACH);
  } finally {
    await handler.close();
    await site.dispose();
  }
});

async function ask(handler: SsrHandler, request: HostileRequest): Promise<void> {
  const exchange = toExchange(request);
  const answer = await answerOf(handler, exchange);
  const { status, headers, body } = answer;
  const sent = Array.from(
    { length: headers.length / 2 },
    (_, i) => [headers[2 * i]!, headers[2 * i + 1]!] as const,
  );
  const problems = problemsOf(request, { status, headers: sent, body });
  expect(problems, JSON.stringify(request)).toEqual([]);
}

/** As an adapter asks. */
async function answerOf(handler: SsrHandler, exchange: Exchange): Promise<Answer> {
  const held = handler.answer(exchange);
  return held ?? (await handler.render(exchange)) ?? handler.notFound(exchange);
}

function toExchange({ method, target, headers }: HostileRequest): Exchange {
  const values = new Map<string, string>();
  for (const [name, value] of headers) {
    // Node takes the whitespace of HTTP away.
    values.set(name, value.replace(/^[ \t]+|[ \t]+$/g, ''));
  }
  return {
    method,
    target,
    encrypted: false,
    status: 200,
    header: (name) => values.get(name),
    headers: () => values,
    content: () => Promise.resolve(new Uint8Array()),
  };
}
