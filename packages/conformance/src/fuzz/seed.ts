/** Of CI's runs: what fails there has to be the change's doing. */
const CI_SEED = 20_261_122;

/** The seed of a run's random choices; NG_SSR_FUZZ_SEED repeats a run. Another one in each run, but for CI's. */
export const seed = Number(
  process.env['NG_SSR_FUZZ_SEED'] ?? (process.env['CI'] ? CI_SEED : Date.now() % 2 ** 31),
);
