import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { type SsrError, withSlots } from '@ng-ssr/core';
import { expect, onTestFinished, test } from 'vitest';
import { stress } from '../../conformance/src/fuzz/extent.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const { requests, seed } = fuzzOptions(stress(5000));
const TARGETS = ['/livez', '/', '/rendered', '/missing', '/large.txt', '/%ff', '/slotted'];
const MEMBERS = ['url', 'method', 'headers', 'body', 'signal', 'runtime', 'bodyUsed'];
const EARLIER = ['status', 'headers'];

function fail(): never {
  throw new Error('fault');
}

/** An object of which some members throw. */
function toHostile<Of extends object>(object: Of, names: readonly string[]): Of {
  return new Proxy(object, {
    get(target, name) {
      if (names.includes(name as string)) fail();
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function create(onError: (error: SsrError) => void = () => undefined) {
  const ssr = createFetchSsrHandler({
    engine: ({ url }) => (url.endsWith('/rendered') ? new Response('page') : null),
    allowedHosts: ['127.0.0.1'],
    files: {
      folder: writeBuiltSite({
        'browser/index.html': prerendered('home'),
        'browser/slotted/index.html': prerendered('slotted'),
        'browser/large.txt': 'large '.repeat(1000),
      }),
      maxFileBytes: 1000,
    },
    probes: { live: '/livez' },
    features: [
      withSlots({
        host: {
          routes: ['/slotted'],
          when: () => true,
          fill: async ({ headers }) => headers.get('host'),
        },
      }),
    ],
    onError,
  });
  onTestFinished(() => ssr.close());
  return ssr;
}

test('a request that cannot be read is reported, and answered with a 500', async () => {
  const errors: SsrError[] = [];
  const ssr = create((error) => errors.push(error));
  const request = toHostile(new Request('http://127.0.0.1/'), ['runtime', 'method']);
  for (const answer of [ssr(request), ssr.answer(request), ssr.render(request)]) {
    expect((await answer)?.status).toBe(500);
  }
  expect(errors).toMatchObject(
    Array.from({ length: 3 }, () => ({
      code: 'NG_SSR_HANDLER_FAILED',
      cause: { message: 'fault' },
    })),
  );
  expect(ssr.probe(request)).toBeUndefined();
});

test("a framework's kind of response that cannot be made becomes a 500", () => {
  const ssr = create();
  expect(ssr.answer(new Request('http://127.0.0.1/'), undefined, fail)).toHaveProperty(
    'status',
    500,
  );
});

test(`members that throw do not leave the handler (seed ${seed})`, async () => {
  const ssr = create();
  const thrown: unknown[] = [];
  const note = (error: unknown): void => void thrown.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const random = new Random(seed);
  for (let i = 0; i < requests; i++) {
    const names = Array.from({ length: 1 + random.below(3) }, () => random.pick(MEMBERS));
    const method = random.pick(['GET', 'GET', 'HEAD', 'POST', 'DELETE']);
    const target = random.pick(TARGETS);
    const plain = new Request(`http://127.0.0.1${target}`, { method });
    const request = toHostile(plain, names);
    const earlier = random.chance(0.3)
      ? toHostile({ headers: new Headers({ a: 'b' }) }, [random.pick(EARLIER)])
      : undefined;
    const what = JSON.stringify({ i, method, target, names, earlier: earlier !== undefined });
    const statuses: (number | undefined)[] = [];
    try {
      statuses.push((await ssr(request)).status);
      statuses.push(ssr.answer(request, earlier)?.status);
      statuses.push((await ssr.render(request, earlier)).status);
      await ssr.probe(request);
      ssr.answered(request, { status: 200, headers: new Headers() });
    } catch (error) {
      expect.fail(`${what}: ${String(error)}`);
    }
    expect(statuses[0], what).toBeGreaterThanOrEqual(200);
    expect(statuses[2], what).toBeGreaterThanOrEqual(200);
  }
  expect(thrown).toEqual([]);
  expect((await ssr(new Request('http://127.0.0.1/rendered'))).status).toBe(200);
});
