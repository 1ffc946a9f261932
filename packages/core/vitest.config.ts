import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Seeded tests try thousands of inputs, on machines that do other work too.
  test: { name: 'core', include: ['test/**/*.spec.ts'], testTimeout: 30_000 },
});
