export { Random } from '@ng-ssr/conformance/fuzz';

/** NG_SSR_STORED_SEED repeats a run. */
export const seed = Number(process.env['NG_SSR_STORED_SEED'] ?? Date.now() % 2 ** 31);
