import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'tiered-store', include: ['test/**/*.spec.ts'] } });
