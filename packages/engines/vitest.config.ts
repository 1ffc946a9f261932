import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'engines', include: ['test/**/*.spec.ts'] } });
