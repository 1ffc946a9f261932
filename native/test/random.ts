/** A small seeded generator (mulberry32), so that a failure can be run again. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Of CI's runs: what fails there has to be the change's doing. */
const CI_SEED = 20_261_122;

/** NG_SSR_ETAG_SEED repeats a run. */
export const seed = Number(
  process.env['NG_SSR_ETAG_SEED'] ?? (process.env['CI'] ? CI_SEED : Date.now() % 2 ** 31),
);
