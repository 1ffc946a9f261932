import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'material-app',
    include: ['test/**/*.spec.ts'],
    hookTimeout: 60_000,
  },
});
