import { defineConfig } from 'vitest/config';

export default defineConfig({
  // No test leaves anything to others in its process: workers are kept, and load the packages once.
  test: { name: 'node', include: ['test/**/*.spec.ts'], isolate: false },
});
