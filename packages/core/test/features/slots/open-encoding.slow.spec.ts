import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { test } from 'vitest';
import { ENCODINGS_LEFT_OPEN, fuzzOpenEncoding } from './fuzz-open-encoding.ts';

/** A third of a million of each encoding. */
const PIECES = Math.ceil(stress(1_000_000) / ENCODINGS_LEFT_OPEN.length);

test.each(ENCODINGS_LEFT_OPEN)(
  `%s: ${PIECES} random pieces after pages that were left open`,
  async (encoding) => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    await fuzzOpenEncoding(encoding, PIECES, new Random(seed));
  },
  900_000,
);
