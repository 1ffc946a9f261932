import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import { openContent } from '../../../src/features/slots/open-encoding.ts';
import {
  DECODERS,
  ENCODINGS_LEFT_OPEN as NAMES,
  fuzzOpenEncoding,
  SIZES,
} from './fuzz-open-encoding.ts';

/** More in open-encoding.slow.spec.ts. */
const PIECES = 3000;
const DECODE = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

test.each(NAMES)(
  '%s that was left open goes on with pieces of any size, and ends',
  async (name) => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    await fuzzOpenEncoding(name, PIECES, new Random(seed));
  },
);

test.each(NAMES)('%s: other responses have the same start', async (name) => {
  const page = Buffer.from('<p>A page that is the same for all.</p>'.repeat(20));
  const open = (await openContent(page, name))!;
  const [one, other] = [open.tail(), open.tail()];
  const begun = one.add(Buffer.from('of one'));
  expect(DECODE[name](Buffer.concat([open.bytes, ...other.end()])).equals(page)).toBe(true);
  const whole = Buffer.concat([open.bytes, ...begun, ...one.end()]);
  expect(DECODE[name](whole).toString()).toBe(`${page.toString()}of one`);
});

test.each(NAMES)('%s: each size of piece', async (name) => {
  const open = (await openContent(Buffer.from('page'.repeat(1000)), name))!;
  for (const size of SIZES) {
    const piece = Buffer.alloc(size, 'x');
    const tail = open.tail();
    const sent = Buffer.concat([open.bytes, ...tail.add(piece), ...tail.end()]);
    expect(DECODE[name](sent).length).toBe(4000 + size);
  }
});

test.each(NAMES)('%s: a client can show what has come so far', async (name) => {
  const page = Buffer.from('<p>Show this at once.</p>'.repeat(200));
  const open = (await openContent(page, name))!;
  const tail = open.tail();
  const decoder = DECODERS[name]();
  let seen = 0;
  decoder.on('data', (chunk: Buffer) => (seen += chunk.length));
  const piece = Buffer.from('<script>1</script>');
  for (const [bytes, expected] of [
    [open.bytes, page.length],
    [Buffer.concat([...tail.add(piece)]), page.length + piece.length],
  ] as const) {
    decoder.write(bytes);
    await expect.poll(() => seen).toBe(expected);
  }
  decoder.end(Buffer.concat([...tail.end()]));
  await new Promise((resolve) => decoder.once('end', resolve));
});

test.each(NAMES)('%s: the length says nothing of what pieces repeat', async (name) => {
  const page = Buffer.from('<p>token=abcdef</p>'.repeat(100));
  const open = (await openContent(page, name))!;
  const lengthWith = (text: string): number =>
    Buffer.concat([...open.tail().add(Buffer.from(text))]).length;
  expect(lengthWith('token=abcdef')).toBe(lengthWith('token=zyxwvu'));
});

test('an encoding that saves nothing is not used', async () => {
  expect(await openContent(Buffer.from('a'), 'gzip')).toBeUndefined();
});
