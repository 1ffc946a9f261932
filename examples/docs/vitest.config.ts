import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'docs',
    include: ['test/**/*.spec.ts'],
    globalSetup: join(import.meta.dirname, 'test/build-site.ts'),
  },
});
