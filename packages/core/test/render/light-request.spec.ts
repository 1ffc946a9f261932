import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import type { Exchange } from '@ng-ssr/core/adapter';
import { lightRequest } from '../../src/render/light-request.ts';
import { toRequest } from '../../src/render/to-request.ts';

type Lines = readonly (readonly [name: string, value: string])[];

function exchangeOf(lines: Lines): Exchange {
  return {
    ...{ method: 'GET', target: '/a', encrypted: false, status: 200 },
    header: (name) => {
      const values = lines.flatMap(([each, value]) => (each.toLowerCase() === name ? value : []));
      return values.length === 0 ? undefined : values.join(', ');
    },
    headers: () => lines,
    content: async () => new Uint8Array(),
  };
}

const ORIGIN = 'https://shop.example';
const isTrusted = (name: string): boolean => name === 'x-forwarded-for';
const makeOf = (lines: Lines, target: string): readonly [light: Request, real: Request] => {
  const exchange = exchangeOf(lines);
  return [
    lightRequest(exchange, ORIGIN + target, isTrusted),
    toRequest(exchange, ORIGIN + target, isTrusted),
  ];
};

const LINES: Lines = [
  ['Host', 'shop.example:443'],
  ['Cookie', 'session=ann; theme=dark'],
  ['X-Many', 'a'],
  ['x-many', 'b'],
  ['Range', 'bytes=0-9'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-For', '192.0.2.1'],
];

/** What a call returns or throws. */
function outcome(run: () => unknown): unknown {
  try {
    return { returned: run() };
  } catch (error) {
    return { threw: (error as Error).name, message: (error as Error).message };
  }
}

/** Accessors and methods, by their names. */
const membersOf = (prototype: object): readonly string[] =>
  Reflect.ownKeys(prototype).filter((name): name is string => typeof name === 'string');

test('each member of a Request is that of a real one', async () => {
  const [light, real] = makeOf(LINES, '/a?b=1');
  expect(Object.getOwnPropertyNames(light)).toEqual([]);
  expect(light).toBeInstanceOf(Request);
  expect(light.constructor).toBe(Request);
  expect(Object.prototype.toString.call(light)).toBe('[object Request]');
  const names = membersOf(Request.prototype);
  expect(names).toContain('signal');
  for (const name of names) {
    const [one, other] = makeOf(LINES, '/a?b=1').map((each) => Reflect.get(each, name) as unknown);
    expect(typeof one, name).toBe(typeof other);
    if (typeof one !== 'object' && typeof one !== 'function') expect(one, name).toBe(other);
    else
      expect(Object.prototype.toString.call(one), name).toBe(Object.prototype.toString.call(other));
  }
  expect([...Object.keys(Request.prototype)].filter((name) => !(name in light))).toEqual([]);
  const found: string[] = [];
  for (const name in light) found.push(name);
  const expected: string[] = [];
  for (const name in real) expected.push(name);
  expect(found.sort()).toEqual(expected.sort());
  expect(light.signal).toBe(light.signal);
  expect(light.headers).toBe(light.headers);
  expect(light.signal.aborted).toBe(false);
  expect(await light.text()).toBe('');
  expect(await makeOf(LINES, '/')[0].arrayBuffer()).toEqual(new ArrayBuffer(0));
  for (const copy of [light.clone(), new Request(ORIGIN, light)]) {
    expect([...copy.headers]).toEqual([...real.headers]);
  }
  expect(new Request(light.clone()).url).toBe(real.url);
});

test('each member of its headers is that of real ones', () => {
  const given: Readonly<Record<string, readonly unknown[]>> = {
    ...{ append: ['x-many', 'c'], set: ['x-many', 'c'], delete: ['X-MANY'] },
    ...{ get: ['X-MANY'], has: ['X-Many'], forEach: [() => undefined] },
  };
  const names = membersOf(Headers.prototype).filter((name) => name !== 'constructor');
  expect(names).toContain('getSetCookie');
  for (const name of names) {
    const [one, other] = makeOf(LINES, '/').map(({ headers }) => {
      const member = Reflect.get(headers, name) as (...args: readonly unknown[]) => unknown;
      const result = Reflect.apply(member, headers, given[name] ?? []);
      const isList = typeof result === 'object' && result !== null;
      return [
        isList ? [...(result as Iterable<unknown>)] : result,
        [...headers],
        headers.get('x-many'),
      ];
    });
    expect(one, name).toEqual(other);
  }
  const { headers } = makeOf(LINES, '/')[0];
  expect(headers).toBeInstanceOf(Headers);
  expect(headers.constructor).toBe(Headers);
  expect([...new Headers(headers)]).toEqual([...makeOf(LINES, '/')[1].headers]);
  expect(new Request(ORIGIN, { headers }).headers.get('x-many')).toBe('a, b');
});

test('what is asked of headers and of the URL has the same answer, made or not', () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const names = [
    'Host',
    'cookie',
    'Cookie',
    'X-A',
    'x-a',
    'Set-Cookie',
    'TE',
    'range',
    'Forwarded',
  ];
  names.push('x-forwarded-for', 'x-forwarded-host', "!#$%&'*+-.^_`|~", 'constructor', '__proto__');
  const asked = [...names, '', ' ', 'a b', 'ä', 'K', ':path', 'x-none', null, undefined, 1, {}];
  const values = ['', 'a', ' a ', 'a, b', 'a=1; b=2', '\ta', 'a\t', 'ä\xff', 'a\tb', ' ', '"q"'];
  const targets = ['/', '/a?b=1', '/a%20b?%zz', '/"<>`{}|^', '/?q=[]"', '/a;b', "/'?'"];
  for (let round = 0; round < 2000; round++) {
    const lines = Array.from({ length: random.below(6) }, () => {
      return [random.pick(names), random.pick(values)] as const;
    });
    const pair = makeOf(lines, random.pick(targets));
    const isMade = random.chance(0.2);
    for (let step = 0; step < 6; step++) {
      const name = random.pick(asked) as string;
      const method = random.pick(['get', 'has', 'set', 'delete', 'append'] as const);
      const isRead = method === 'get' || method === 'has';
      if (!isRead && !isMade) continue;
      const args = [name, ...(isRead || method === 'delete' ? [] : ['c'])];
      const run = ({ headers }: Request): unknown =>
        outcome(() => Reflect.apply(Reflect.get(headers, method) as () => unknown, headers, args));
      expect(run(pair[0]), `${method} ${String(name)} of ${JSON.stringify(lines)}`).toEqual(
        run(pair[1]),
      );
    }
    expect(pair[0].url).toBe(pair[1].url);
    expect([...pair[0].headers]).toEqual([...pair[1].headers]);
  }
});

test('reading headers, the URL and the method makes no Request', () => {
  let reads = 0;
  const exchange = exchangeOf(LINES);
  const counted: Exchange = { ...exchange, headers: () => (reads++, exchange.headers()) };
  const light = lightRequest(counted, `${ORIGIN}/a`, isTrusted);
  expect(light.headers.get('cookie')).toBe('session=ann; theme=dark');
  expect(light.headers.has('X-Many')).toBe(true);
  expect(light.headers.get('host')).toBe('shop.example');
  expect(light.headers.get('x-forwarded-host')).toBeNull();
  expect([light.method, light.url]).toEqual(['GET', `${ORIGIN}/a`]);
  expect(reads).toBe(0);
  light.headers.set('cookie', 'a=1');
  expect([light.headers.get('cookie'), reads]).toEqual(['a=1', 1]);
});
