/** A line of a public benchmark's own file, after which the entry is registered. */
export interface Registration {
  readonly file: string;
  /** A text that occurs once. */
  readonly before: string;
  readonly insert: string;
}

/** A public benchmark, and our entry for it in bench/entries. */
export interface Harness {
  /** A file that only a checkout of it has. */
  readonly mark: string;
  /** The application, from the checkout's root. */
  readonly app: string;
  readonly registrations: readonly Registration[];
  /** How its authors run it, from the checkout's root. */
  readonly commands: readonly string[];
}

export const HARNESSES: Readonly<Record<string, Harness>> = {
  'ssr-performance-showdown': {
    mark: 'vue/server.js',
    app: 'angular',
    registrations: [],
    commands: [
      'npm test --prefix angular',
      'npm start --prefix angular',
      'autocannon localhost:3000',
    ],
  },
  'ssr-benchmark': {
    mark: 'src/result-format.js',
    app: 'modules/angular-ng-ssr',
    registrations: [
      {
        file: 'src/index.js',
        before: '  { name: "nuxt", group: "frameworks"',
        insert: `  {
    name: "angular-ng-ssr",
    group: "frameworks",
    handler: await import("angular-ng-ssr-benchmark").then((x) =>
      x.buildHandler()
    ),
  },
`,
      },
    ],
    commands: ['npm install', 'npm run build', 'npm start'],
  },
  'framework-tracker': {
    mark: 'packages/stats-generator/src/ssrRequestThroughput/index.ts',
    app: 'packages/app-angular-ng-ssr',
    registrations: [
      {
        file: 'packages/stats-generator/src/ssrRequestThroughput/index.ts',
        before: "import { buildAstroHandler } from './handlers/astro.ts'",
        insert: "import { buildAngularNgSsrHandler } from './handlers/angular-ng-ssr.ts'\n",
      },
      {
        file: 'packages/stats-generator/src/ssrRequestThroughput/index.ts',
        before: "    {\n      name: 'astro-ssr-request-throughput',",
        insert: `    {
      name: 'angular-ng-ssr-request-throughput',
      displayName: 'Angular on ng-ssr SSR Request Handler Throughput',
      package: 'app-angular-ng-ssr',
      buildHandler: buildAngularNgSsrHandler,
    },
`,
      },
      {
        file: 'packages/stats-generator/src/ssrLoad/index.ts',
        before: "  {\n    name: 'astro-ssr-load',",
        insert: `  {
    name: 'angular-ng-ssr-load',
    displayName: 'Angular on ng-ssr SSR Load',
    package: 'app-angular-ng-ssr',
    serveScript: 'angular-ng-ssr.ts',
  },
`,
      },
      {
        file: '.github/frameworks.json',
        before: '  {\n    "name": "astro",',
        insert: `  {
    "name": "angular-ng-ssr",
    "displayName": "Angular on ng-ssr",
    "frameworkPackage": "@angular/core",
    "focusedFramework": false,
    "app": {
      "package": "app-angular-ng-ssr",
      "buildScript": "build",
      "buildOutputDir": "dist",
      "measurements": [{ "type": "ssrRequestThroughput" }, { "type": "ssrLoad" }]
    }
  },
`,
      },
    ],
    commands: [
      'pnpm install',
      'pnpm --filter @framework-tracker/stats-generator run:ssr-request-throughput app-angular-ng-ssr',
      'pnpm --filter @framework-tracker/stats-generator run:ssr-load app-angular-ng-ssr',
    ],
  },
};
