import { isShort } from './extent.ts';

/** The seed of short runs in CI: a run that fails there has to fail because of the change. */
const CI_SEED = 20_261_122;

/** The seed of a run's random choices. It differs from run to run, except in CI; NG_SSR_FUZZ_SEED repeats a run. */
export const seed = Number(
  process.env['NG_SSR_FUZZ_SEED'] ??
    (process.env['CI'] && isShort ? CI_SEED : Date.now() % 2 ** 31),
);
