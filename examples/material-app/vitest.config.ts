import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'material-app',
    include: ['test/**/*.spec.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
