import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'schematics', include: ['test/**/*.spec.ts'] } });
