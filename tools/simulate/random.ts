/** Numbers from 0 to below 1, the same for the same seed (Mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number below 2^32 of another one: spreads neighbors. */
export function hashOf(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Ranks from 0 by Zipf's law: rank k has the weight `1 / (k + 1) ** exponent`. It needs no table, so it takes any number of
 * ranks (rejection-inversion: W. Hörmann and G. Derflinger, 1996).
 */
export function zipf(count: number, exponent: number, random: () => number): () => number {
  // The integral of x ** -exponent, and its inverse, also near the exponent 1.
  const integral = (x: number): number => {
    const log = Math.log(x);
    return expm1OverX((1 - exponent) * log) * log;
  };
  const inverse = (y: number): number => {
    const t = Math.max(-1, y * (1 - exponent));
    return Math.exp(log1pOverX(t) * y);
  };
  const weight = (x: number): number => Math.exp(-exponent * Math.log(x));
  const first = integral(1.5) - 1;
  const last = integral(count + 0.5);
  const shortcut = 2 - inverse(integral(2.5) - weight(2));
  return () => {
    for (;;) {
      const y = last + random() * (first - last);
      const x = inverse(y);
      const k = Math.min(count, Math.max(1, Math.round(x)));
      if (k - x <= shortcut || y >= integral(k + 0.5) - weight(k)) return k - 1;
    }
  };
}

function expm1OverX(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
}

function log1pOverX(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
}

/** Scatters ranks over page numbers, so that pages of one tag differ in popularity. */
export function scatter(count: number): (rank: number) => number {
  let step = Math.max(1, Math.floor(count * 0.618));
  while (gcd(step, count) !== 1) step++;
  return (rank) => (rank * step) % count;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
