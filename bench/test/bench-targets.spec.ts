import { expect, it } from 'vitest';
import { benchTargets, benchTsConfig } from '../src/applications/bench-targets.ts';

const project = {
  architect: {
    build: {
      builder: '@angular/build:application',
      options: {
        outputPath: 'dist/shop',
        browser: 'src/main.ts',
        polyfills: ['zone.js', 'src/polyfills.ts'],
        tsConfig: 'tsconfig.app.json',
      },
      configurations: {
        production: { outputHashing: 'all', budgets: [{ type: 'initial', maximumError: '1mb' }] },
        development: { optimization: false },
      },
    },
  },
};

it('builds an application for production, once for each engine', () => {
  const targets = benchTargets(project, 'tsconfig.bench.json');
  const common = {
    browser: 'src/main.ts',
    polyfills: ['zone.js', 'src/polyfills.ts'],
    outputHashing: 'all',
    budgets: [],
    server: 'src/main.server.ts',
    tsConfig: 'tsconfig.bench.json',
    sourceMap: { scripts: true, styles: false, hidden: true },
  };
  expect(targets).toEqual({
    'bench-app': {
      builder: '@angular/build:application',
      options: expect.objectContaining({
        ...common,
        outputPath: 'dist/bench/app',
        outputMode: 'server',
        ssr: { entry: 'src/bench-sides/app.ts' },
      }),
    },
    'bench-common': {
      builder: '@angular/build:application',
      options: expect.objectContaining({
        ...common,
        outputPath: 'dist/bench/common',
        ssr: { entry: 'src/bench-sides/pages.common.ts' },
      }),
    },
  });
  // With an output mode, the build has no document for CommonEngine.
  expect(targets['bench-common']!.options).not.toHaveProperty('outputMode');
});

it('compiles the entries of both, and the polyfills of the application', () => {
  expect(benchTsConfig(project)).toMatchObject({
    extends: './tsconfig.app.json',
    files: [
      'src/main.ts',
      'src/polyfills.ts',
      'src/main.server.ts',
      'src/bench-sides/app.ts',
      'src/bench-sides/pages.common.ts',
    ],
  });
});
