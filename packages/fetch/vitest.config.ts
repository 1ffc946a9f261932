import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'fetch', include: ['test/**/*.spec.ts'] } });
