import type { BunServer } from '@ng-ssr/fetch/server';

/** The global of Bun, as far as it is used. */
export const { Bun } = globalThis as unknown as {
  readonly Bun: { serve(options: object): BunServer & { readonly port: number } };
};
