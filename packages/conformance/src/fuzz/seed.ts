/** The seed of a run's random choices; NG_SSR_FUZZ_SEED repeats a run. */
export const seed = Number(process.env['NG_SSR_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
