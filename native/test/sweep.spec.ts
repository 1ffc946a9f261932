import { expect, it } from 'vitest';

import {
  isAddonMissing,
  missingAddon,
  native,
  nativeUnhinted,
  script,
  webAssembly,
} from './implementations.ts';
import { createRandom, seed } from './random.ts';

const UNITS = [0x61, 0x7f, 0x80, 0xe9, 0xff, 0x100, 0x7ff, 0x800, 0x20ac, 0xd7ff];
const SURROGATES = [0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff];

const title = isAddonMissing ? ` (${missingAddon})` : '';

it.skipIf(isAddonMissing)(`tags 100,000 random arrays alike${title}`, () => {
  console.log(`NG_SSR_ETAG_SEED=${seed}`);
  const random = createRandom(seed);
  const pool = new Uint8Array(4096);
  for (let i = 0; i < pool.length; i++) pool[i] = random() * 256;
  for (let round = 0; round < 100_000; round++) {
    const offset = Math.floor(random() * 128);
    const length = Math.floor(random() * (round % 10 === 0 ? 3800 : 600));
    pool[offset + Math.floor(random() * (length + 1))] = random() * 256;
    const body = pool.subarray(offset, offset + length);
    const expected = native(body, false);
    if (
      webAssembly(body, false) !== expected ||
      (round % 20 === 0 && script(body, false) !== expected)
    ) {
      expect.fail(`offset ${offset}, length ${length}, seed ${seed}`);
    }
  }
});

it.skipIf(isAddonMissing)(`tags 20,000 random strings alike${title}`, () => {
  const random = createRandom(seed + 1);
  for (let round = 0; round < 20_000; round++) {
    const alphabet = [UNITS.slice(0, 2), UNITS.slice(0, 5), UNITS, [...UNITS, ...SURROGATES]][
      round % 4
    ]!;
    const plain = random();
    const units = Array.from({ length: random() * 200 }, () =>
      random() < plain ? 0x41 : alphabet[Math.floor(random() * alphabet.length)]!,
    );
    const text = String.fromCharCode(...units);
    const expected = webAssembly(Buffer.from(text), false);
    if (
      webAssembly(text, false) !== expected ||
      native(text, false) !== expected ||
      nativeUnhinted(text, false) !== expected
    ) {
      expect.fail(`units ${JSON.stringify(units)}, seed ${seed}`);
    }
  }
});
