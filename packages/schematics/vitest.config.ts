import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Trees in memory: no spec leaves anything to the next, and Angular's tools take a second to load.
  test: { name: 'schematics', include: ['test/**/*.spec.ts'], isolate: false },
});
