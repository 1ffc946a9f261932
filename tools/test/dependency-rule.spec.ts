import { ESLint } from 'eslint';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const RULE = 'no-restricted-imports';
// This rule alone, which needs no types: to load those of all projects takes seconds.
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ruleId === RULE,
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});
/** The modules that the rule refuses in a file of the given place. */
async function refused(file: string, modules: readonly string[]): Promise<string[]> {
  const code = modules.map((module) => `import '${module}';`).join('\n');
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  return result!.messages
    .filter(({ ruleId }) => ruleId === RULE)
    .map(({ line }) => modules[line - 1]!);
}

const frameworks = ['koa', '@koa/router', 'koa-static', 'fastify', 'express', 'hono', 'sirv'];
const servers = ['node:http', 'http', 'node:http2', 'node:https'];

test('core imports no framework, no server, no Angular, no engine and no adapter', async () => {
  const modules = [...frameworks, ...servers, '@angular/core', '@angular/ssr/node'];
  const own = ['@ng-ssr/engines', '@ng-ssr/node', '@ng-ssr/node/adapter', '@ng-ssr/koa'];
  const all = [...modules, ...own];
  expect(await refused('packages/core/src/index.ts', all)).toEqual(all);
  const fine = ['node:fs', '@ng-ssr/etag', './http/select.ts', '../koa-like.ts'];
  expect(await refused('packages/core/src/index.ts', fine)).toEqual([]);
});

test('of the core, the end of a server alone knows node:http, and nothing else of the core needs it', async () => {
  const all = [...frameworks, '@angular/core', '@ng-ssr/engines', '@ng-ssr/node/adapter'];
  expect(await refused('packages/core/src/shutdown/index.ts', all)).toEqual(all);
  const fine = [...servers, '../check-option.ts', './connections.ts'];
  expect(await refused('packages/core/src/shutdown/index.ts', fine)).toEqual([]);
  for (const file of ['index.ts', 'render/scheduler.ts']) {
    const wrong = ['./shutdown/index.ts', '../shutdown/connections.ts'];
    expect(await refused(`packages/core/src/${file}`, wrong)).toEqual(wrong);
  }
});

test('a room of the core imports the rooms below it, and none above', async () => {
  const below = ['../http/range.ts', '../../errors.ts', './target.ts', '../shared-pages.ts'];
  const above = ['../pages/page-cache.ts', '../../pages/key/languages.ts', '../handler/options.ts'];
  expect(await refused('packages/core/src/files/built-index.ts', [...below, ...above])).toEqual(
    above,
  );
  expect(await refused('packages/core/src/pages/key/cache-key.ts', above)).toEqual(above.slice(2));
  expect(await refused('packages/core/src/http/range.ts', ['../host/site.ts'])).toHaveLength(1);
  expect(await refused('packages/core/src/path/compose.ts', ['../adapter.ts'])).toHaveLength(1);
  expect(await refused('packages/core/src/exchange.ts', ['./http/range.ts'])).toHaveLength(1);
});

test('engines import Angular and the core only', async () => {
  const all = [...frameworks, ...servers, '@ng-ssr/koa', '@ng-ssr/node/adapter'];
  expect(await refused('packages/engines/src/app-engine.ts', all)).toEqual(all);
  const fine = ['@ng-ssr/core', '@angular/ssr/node'];
  expect(await refused('packages/engines/src/app-engine.ts', fine)).toEqual([]);
});

test('the DOM imports no other package', async () => {
  const all = [...frameworks, ...servers, '@angular/core', '@ng-ssr/core', '@ng-ssr/engines'];
  expect(await refused('packages/dom/src/dom.ts', all)).toEqual(all);
  expect(await refused('packages/core/src/index.ts', ['@ng-ssr/dom'])).toEqual(['@ng-ssr/dom']);
  expect(await refused('packages/engines/src/app-engine.ts', ['@ng-ssr/dom'])).toEqual([]);
});

test('an adapter names the engines in its index.ts alone, and no insides', async () => {
  const wrong = [
    '@ng-ssr/engines',
    '@angular/core',
    '@ng-ssr/core/dist/options.js',
    '@ng-ssr/node',
  ];
  expect(await refused('packages/koa/src/ssr-middleware.ts', wrong)).toEqual(wrong);
  const fine = ['@ng-ssr/core', '@ng-ssr/node/adapter', 'koa', '@ng-ssr/etag/koa'];
  expect(await refused('packages/koa/src/ssr-middleware.ts', fine)).toEqual([]);
  expect(await refused('packages/koa/src/index.ts', ['@ng-ssr/engines'])).toEqual([]);
});

test('the command imports the core only, and no sources of other packages the command', async () => {
  const all = [...frameworks, '@angular/core', '@ng-ssr/engines', '@ng-ssr/koa'];
  expect(await refused('packages/cli/src/run.ts', all)).toEqual(all);
  // It is a client of running servers.
  const fine = ['@ng-ssr/core/pack', 'node:http', 'node:https'];
  expect(await refused('packages/cli/src/run.ts', fine)).toEqual([]);
  for (const file of ['packages/core/src/index.ts', 'packages/koa/src/ssr-middleware.ts']) {
    expect(await refused(file, ['@ng-ssr/cli'])).toEqual(['@ng-ssr/cli']);
  }
});

test('a store imports the core only, and the core no store', async () => {
  const all = [...frameworks, ...servers, '@angular/core', '@ng-ssr/engines', '@ng-ssr/koa'];
  all.push('@ng-ssr/node/adapter', '@ng-ssr/core/dist/options.js');
  expect(await refused('packages/redis/src/connection.ts', all)).toEqual(all);
  const fine = ['@ng-ssr/core', '@ng-ssr/etag', '@redis/client', 'node:crypto', './keys.ts'];
  expect(await refused('packages/redis/src/connection.ts', fine)).toEqual([]);
  expect(await refused('packages/sqlite/src/jobs.ts', all)).toEqual(all);
  const stores = ['@ng-ssr/redis', '@ng-ssr/sqlite', '@ng-ssr/tiered-store'];
  for (const file of ['packages/core/src/index.ts', 'packages/koa/src/ssr-middleware.ts']) {
    expect(await refused(file, stores)).toEqual(stores);
  }
});
