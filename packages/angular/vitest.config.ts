import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'angular', include: ['test/**/*.spec.ts'] } });
