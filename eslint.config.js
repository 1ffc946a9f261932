import tseslint from 'typescript-eslint';

const frameworks = String.raw`(koa|@koa|koa-.*|fastify|@fastify|fastify-plugin|express|hono|@hono|h3|elysia|@elysiajs|sirv|find-my-way)(/|$)`;
const servers = String.raw`(node:)?(http|http2|https)$`;
const angular = '@angular/';
const insides = String.raw`(@ng-ssr/[^/]+/(src|dist)/|\.\./\.\./\.\./)`;
/** The same for the core, whose features have rooms of their own. */
const otherInsides = String.raw`(@ng-ssr/[^/]+/(src|dist)/|(\.\./){4})`;
const ending = String.raw`(\./|(\.\./)+)shutdown/`;
/** `@ng-ssr/core/pack`; `files/pack` has a file of this name. */
const door = String.raw`(\.\./)+pack\.ts$`;
const engines = '@ng-ssr/(engines|dom)(/|$)';
/** The rooms of the core, the lowest first: each may import those before it, and none of those after it. */
const rooms = [
  'platform',
  'options',
  'http',
  'telemetry',
  'host',
  'probes',
  'render',
  'answers',
  'files',
  'pages',
  'locales',
  'threads',
  'path',
  'features',
  'handler',
];
const adapters = ['node', 'koa', 'fastify', 'express', 'fetch'];
const stores = ['redis', 'sqlite', 'tiered-store'];
/** What users import or run beside their adapter. */
const beside = ['angular', 'edge', 'cli'];
const adapter = (names) => `@ng-ssr/(${names.join('|')})(/|$)`;

/** The dependency rule of the architecture: adapters -> core <- engines. */
function mayNotImport(files, modules, message, ignores = []) {
  return {
    files,
    ignores,
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: modules.map((module) => ({ regex: `^${module}`, message })) },
      ],
    },
  };
}

const core = 'packages/core/src';
/** For users, for authors of adapters, features and page stores, for tools, and for all on platforms without Node's modules. */
const doors = ['index', 'adapter', 'plug', 'store', 'pack', 'neutral'].map(
  (name) => `${core}/${name}.ts`,
);
/** The rooms after one, and the doors. */
const after = (room) => [
  ...rooms.slice(rooms.indexOf(room) + 1),
  String.raw`(index|adapter|plug|store|neutral)\.ts`,
];
const coreRooms = [
  {
    files: [`${core}/*.ts`],
    ignores: doors,
    above: rooms,
  },
  { files: doors, ignores: [], above: ['none'] },
  ...rooms.map((room) => ({
    files: [`${core}/${room}/**/*.ts`],
    ignores: [],
    above: after(room),
  })),
  // Server threads end with their server.
  ...['threads', 'features/server-threads'].map((folder) => ({
    files: [`${core}/${folder}/**/*.ts`],
    ignores: [],
    above: after(folder.split('/')[0]),
    mayEnd: true,
  })),
];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules',
      '**/dist',
      '**/build',
      '**/.angular',
      'examples/docs/generated',
      '.nx',
      'tmp',
      'native/src/xxh3-binary.*',
      'native/assembly',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['packages/*/src/**/*.ts', 'native/src/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "BinaryExpression[operator='instanceof'][right.name='Promise']",
          message:
            'With zone.js, promises of async functions are no instances of Promise: use isPromise().',
        },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
    },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      eqeqeq: 'error',
    },
  },
  ...coreRooms.map(({ files, ignores, above, mayEnd = false }) =>
    mayNotImport(
      files,
      [
        ...[
          frameworks,
          servers,
          angular,
          engines,
          adapter([...adapters, ...stores, ...beside]),
          otherInsides,
        ],
        ...(mayEnd ? [] : [ending]),
        ...[door, String.raw`(\./|(\.\./)+)(${above.join('|')})(/|$)`],
      ],
      'core knows no framework, no Angular and no node:http, and its rooms import only those below.',
      ignores,
    ),
  ),
  mayNotImport(
    ['packages/core/src/shutdown/**/*.ts'],
    [frameworks, angular, engines, adapter([...adapters, ...stores, ...beside]), insides],
    "core knows no framework and no Angular; the end of Node's servers is a sub-path of its own.",
  ),
  ...stores.map((name) =>
    mayNotImport(
      [`packages/${name}/src/**/*.ts`],
      [frameworks, servers, angular, engines, adapter(adapters), insides],
      'a store knows the core only.',
    ),
  ),
  mayNotImport(
    ['packages/edge/src/**/*.ts'],
    [
      frameworks,
      servers,
      angular,
      engines,
      adapter([...adapters, ...stores, 'angular', 'cli']),
      insides,
    ],
    'an edge knows the core only.',
  ),
  mayNotImport(
    ['packages/cli/src/**/*.ts'],
    [frameworks, angular, engines, adapter([...adapters, ...stores, 'edge']), insides],
    'the command knows the core only, and what it asks of a running server.',
  ),
  mayNotImport(
    ['packages/angular/src/**/*.ts'],
    [frameworks, 'node:', '@ng-ssr/', insides],
    'this package runs in browsers: it knows Angular only.',
  ),
  mayNotImport(
    ['packages/dom/src/**/*.ts'],
    [frameworks, servers, angular, '@ng-ssr/', insides],
    "the DOM knows neither Angular's packages nor the server: it gets Angular's DOM classes as values.",
  ),
  mayNotImport(
    ['packages/engines/src/**/*.ts'],
    [frameworks, servers, adapter(adapters), insides],
    'engines know the core, the DOM and Angular only.',
  ),
  ...adapters.map((name) =>
    mayNotImport(
      [`packages/${name}/src/**/*.ts`],
      [
        angular,
        engines,
        // Of each other's, only the bridge that adapters on Node share.
        adapter(
          [...adapters, ...stores, ...beside].filter((other) => other !== name && other !== 'node'),
        ),
        ...(name === 'node' ? [] : ['@ng-ssr/node$', '@ng-ssr/node/server']),
        insides,
      ],
      'an adapter imports the core and the bridge; its index.ts and neutral.ts alone name the engines.',
      ['index', 'neutral'].map((entry) => `packages/${name}/src/${entry}.ts`),
    ),
  ),
);
