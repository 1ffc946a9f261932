import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'native', 'examples/material-app', 'tools', 'bench'],
    maxWorkers: 2,
  },
});
