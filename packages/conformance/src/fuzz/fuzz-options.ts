import { seed } from './seed.ts';

/** Length and seed of a fuzz run. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
}

/**
 * Reads the length and the seed of a fuzz: NG_SSR_FUZZ_REQUESTS sets the number of requests,
 * NG_SSR_FUZZ_SEED repeats a run.
 *
 * @param requests - The number of requests of an ordinary run.
 */
export function fuzzOptions(requests: number): FuzzOptions {
  return {
    requests: Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? requests),
    seed,
  };
}
