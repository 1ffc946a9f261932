/** How long a fuzz runs and from which seed. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
}

/**
 * Reads the length and the seed of a fuzz: NG_SSR_FUZZ_REQUESTS makes it longer, NG_SSR_FUZZ_SEED
 * repeats a run.
 *
 * @param requests - The number of requests of an ordinary run.
 */
export function fuzzOptions(requests: number): FuzzOptions {
  return {
    requests: Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? requests),
    seed: Number(process.env['NG_SSR_FUZZ_SEED'] ?? Date.now() % 2 ** 31),
  };
}
