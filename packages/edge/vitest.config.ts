import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'edge', include: ['test/**/*.spec.ts'] } });
