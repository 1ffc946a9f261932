import { describe, expect, it } from 'vitest';
import {
  chooseEncoding,
  ENCODINGS,
  type NegotiableEncoding,
  readAcceptEncoding,
} from '../../src/http/accept-encoding.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { follows, listOf, OWS, TOKEN } from './grammar.ts';
import { randomText } from './random-text.ts';

describe('readAcceptEncoding', () => {
  it.each<[string | undefined, string, boolean]>([
    // RFC 9110 section 12.5.3: its examples.
    ['compress, gzip', 'gzip identity', true],
    ['', 'identity', false],
    ['*', 'br zstd gzip identity', true],
    ['compress;q=0.5, gzip;q=1.0', 'gzip identity', true],
    ['gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip identity', true],
    // Its rules: without the header; identity is there unless refused; `*` is for what is not named.
    [undefined, 'identity', false],
    ['identity', 'identity', false],
    ['identity;q=0', '', false],
    ['*;q=0', '', false],
    ['*;q=0, identity', 'identity', false],
    ['*;q=0, identity;q=0.001', 'identity', false],
    ['identity;q=0, *', 'br zstd gzip', true],
    ['identity;q=0, deflate', '', true],
    ['br;q=0', 'identity', false],
    ['br;q=0, *;q=0.1', 'zstd gzip identity', true],
    ['gzip;q=0.001', 'gzip identity', true],
    // The order is by weight, then this server's.
    ['gzip, br, zstd', 'br zstd gzip identity', true],
    ['gzip;q=0.9, br;q=0.8, zstd;q=1', 'zstd gzip br identity', true],
    ['gzip;q=0.5, identity;q=0.7', 'identity gzip', true],
    ['identity, gzip', 'gzip identity', true],
    // Section 8.4.1.3: x-gzip is gzip. Encodings are compared without case (section 8.4.1).
    ['x-gzip', 'gzip identity', true],
    ['X-GZip;q=0', 'identity', false],
    ['Br, ZSTD;Q=0.5', 'br zstd identity', true],
    // Section 5.6.1.2: empty elements; section 5.6.3: white space.
    [',, ,gzip,', 'gzip identity', true],
    ['gzip\t;\tq=0.5 ,\tbr ; q=0.4', 'gzip br identity', true],
    // Of an encoding that comes twice the last counts.
    ['gzip;q=0, gzip', 'gzip identity', true],
    ['gzip, gzip;q=0', 'identity', false],
    ['br;x=1;q=0.5, gzip', 'gzip br identity', true],
  ])('RFC 9110 section 12.5.3: %j is %s', (header, encodings, takesEncoded) => {
    const accepted = readAcceptEncoding(header);
    expect(accepted.encodings.join(' ')).toBe(encodings);
    expect(accepted.takesEncoded).toBe(takesEncoded);
    expect([...accepted.weights.keys()]).toEqual(accepted.encodings);
  });

  it.each([
    // Section 12.4.2: three digits at most, but more are sent, as are numbers without the zero.
    ['0', 0],
    ['0.', 0],
    ['0.000', 0],
    ['0.001', 0.001],
    ['0.5', 0.5],
    ['0.999', 0.999],
    ['1', 1],
    ['1.', 1],
    ['1.000', 1],
    ['.2', 0.2],
    ['0.33333', 0.33333],
  ])('RFC 9110 section 12.4.2: q=%s is the weight %s', (weight, expected) => {
    expect(readAcceptEncoding(`br;q=${weight}`).weights.get('br') ?? 0).toBe(expected);
  });

  it.each([
    ...['', ' ', '-0.5', '-0', '+1', '1.001', '2', '1e0', '1e-1', '0x1', '0b1', '0o1', '0.5.5'],
    ...['.', 'NaN', 'Infinity', 'one', '"1"', ' 1', '\u00a01', '\u06611', '1_0', '1n'],
  ])('RFC 9110 section 12.4.2: q=%j is no weight, and not preferred', (weight) => {
    const accepted = readAcceptEncoding(`br;q=${weight}`);
    expect(accepted.weights.has('br')).toBe(false);
    expect(accepted.encodings).toContain('identity');
  });

  it.each([
    'constructor',
    '__proto__',
    'toString;q=1',
    '"gzip"',
    'g zip',
    'gzip\u00a0',
    '\u00a0gzip',
    'gzip/1',
    ';gzip',
    '\0',
    'x'.repeat(100_000),
    ';'.repeat(10_000),
  ])('what names no encoding of ours gets identity: %j', (header) => {
    expect(readAcceptEncoding(header).encodings).toEqual(['identity']);
  });

  it('remembers a bounded number of values, and reads each as at first', () => {
    const weights = Array.from({ length: 2_000 }, (_, at) => (at % 999) / 1000 + 0.001);
    for (const weight of weights) {
      expect(readAcceptEncoding(`gzip;q=${weight}`).weights.get('gzip')).toBe(weight);
    }
    const first = readAcceptEncoding('gzip;q=0.25');
    expect(readAcceptEncoding('gzip;q=0.25')).toBe(first);
  });
});

describe('chooseEncoding', () => {
  it.each<
    [string | undefined, readonly ('br' | 'zstd' | 'gzip')[], NegotiableEncoding | undefined]
  >([
    [undefined, ['br', 'gzip'], 'identity'],
    ['gzip, br', ['gzip', 'br'], 'gzip'],
    ['gzip, br', ['br', 'gzip'], 'br'],
    ['gzip;q=0.5, br', ['gzip', 'br'], 'br'],
    ['gzip;q=0.5, br', ['gzip'], 'gzip'],
    ['gzip', ['br'], 'identity'],
    ['gzip', [], 'identity'],
    ['identity;q=0, gzip', ['br'], 'identity'],
    ['identity;q=0', ['br'], undefined],
    ['*;q=0', ['br'], undefined],
    ['identity, gzip;q=0.5', ['gzip'], 'identity'],
    ['identity;q=0.5, gzip;q=0.5', ['gzip'], 'gzip'],
  ])('%j of %j is %s', (header, order, encoding) => {
    expect(chooseEncoding(readAcceptEncoding(header), order)).toBe(encoding);
  });
});

/** Section 12.5.3 word by word, for headers of its grammar. */
function oracle(header: string, encoding: NegotiableEncoding): number {
  const named = (name: string): number | undefined => {
    for (const element of header.toLowerCase().split(',').reverse()) {
      const [encodings = '', weight = 'q=1'] = element.split(';').map((part) => part.trim());
      if (encodings.replace('x-gzip', 'gzip') === name) return Number(weight.slice(2));
    }
    return undefined;
  };
  return named(encoding) ?? named('*') ?? (encoding === 'identity' ? 0.0001 : 0);
}

const WEIGHT = String.raw`${OWS};${OWS}[qQ]=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)`;
const ACCEPT_ENCODING = listOf(`${TOKEN}(?:${WEIGHT})?`);
const PIECES = [
  ...['gzip', 'br', 'zstd', 'x-gzip', 'identity', 'deflate', '*', 'GZIP', ',', ', ', ',', ';'],
  ...[';q=', 'q=', ';q=0', ';q=0.5', '; Q=0.3', ' ; q=1', ';q=1.000', '.5', '0x', ' ', '\t', '-'],
];

it(`headers are read as the grammar says, and others without failure, seed ${seed}`, () => {
  const random = new Random(seed);
  const all = [...ENCODINGS, 'identity'] as const;
  let grammatical = 0;
  for (let i = 0; i < 20_000; i++) {
    const header = randomText(random, PIECES, 9);
    const { encodings, weights } = readAcceptEncoding(header);
    const about = JSON.stringify(header);
    const accepted = all.filter((encoding) => weights.has(encoding));
    if (accepted.length !== encodings.length) expect.fail(about);
    for (const [at, encoding] of encodings.entries()) {
      const weight = weights.get(encoding)!;
      if (!(weight > 0 && weight <= 1)) expect.fail(`${about}: ${encoding} has weight ${weight}`);
      if (at > 0 && weight > weights.get(encodings[at - 1]!)!) expect.fail(`${about}: order`);
    }
    if (!follows(header, ACCEPT_ENCODING)) continue;
    grammatical++;
    for (const encoding of all) {
      const [actual, expected] = [weights.get(encoding) ?? 0, oracle(header, encoding)];
      if (actual !== expected) expect.fail(`${about}: ${encoding} is ${actual}, not ${expected}`);
    }
  }
  expect(grammatical).toBeGreaterThan(1_000);
});
