/** A small seeded generator (mulberry32), so that a failure can be run again. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** NG_SSR_REDIS_SEED repeats a run. */
export const seed = Number(process.env['NG_SSR_REDIS_SEED'] ?? Date.now() % 2 ** 31);
