import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'etag',
    include: ['test/*.spec.ts'],
    globalSetup: ['./tools/compile-twin.mjs'],
  },
});
