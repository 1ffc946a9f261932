import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { scaffold } from './starts.ts';
import {
  copyOf,
  editBuild,
  formats,
  formatWith,
  newApplication,
  newWorkspace,
  runnerOf,
} from './workspace.ts';

const folder = fileURLToPath(new URL('../src/scaffolds', import.meta.url));
const scaffolds = globSync('*.txt', { cwd: folder }).map((path) => basename(path, '.txt'));

let workspace: UnitTestTree;
beforeAll(async () => {
  workspace = await newApplication({ ssr: true });
});

/** A workspace with this server.ts, which was SSR's when Angular wrote it. */
function withServer(name: string): UnitTestTree {
  const tree = copyOf(workspace);
  const text = scaffold(name);
  tree.overwrite('/src/server.ts', text);
  if (text.includes('CommonEngine')) editBuild(tree, (options) => delete options['outputMode']);
  return tree;
}

/** What `ng new` and `ng add @angular/ssr` of these versions have written is recognised. */
describe.each(scaffolds)('the server.ts of Angular %s', (name) => {
  const engine = scaffold(name).includes('CommonEngine') ? 'common' : 'app';

  test('is replaced, on its engine, and Express is removed', async () => {
    const after = await runnerOf('koa').runSchematic('ng-add', {}, withServer(name));
    expect(after.readText('/src/server.ts')).toContain(
      `import { ${engine}Engine, createKoaSsrServer }`,
    );
    expect(after.readText('/package.json')).not.toContain('express');
  });

  test.each(formats)('is replaced as Prettier writes it with %o', async (options) => {
    const tree = withServer(name);
    await formatWith(tree, options, '/src/server.ts');
    const after = await runnerOf('koa').runSchematic('ng-add', {}, tree);
    expect(after.readText('/src/server.ts')).toContain('createKoaSsrServer');
  });

  test.each([
    ['a route', (text: string) => text.replace('express();', "express();\napp.get('/a', b);")],
    ['another port', (text: string) => text.replace('|| 4000', '|| 8080')],
    ['other options', (text: string) => text.replace("'1y'", "'1d'")],
  ])('is not with %s', async (_what, change) => {
    const tree = withServer(name);
    const text = scaffold(name);
    const changed = change(text);
    expect(changed).not.toBe(text);
    tree.overwrite('/src/server.ts', changed);
    await expect(runnerOf('koa').runSchematic('ng-add', {}, tree)).rejects.toThrow(
      'NG_SSR_SERVER_FILE_CHANGED',
    );
  });
});

test.each([
  ['17.3.2', '17', "process.env['PORT']", "process.env['SSR_PORT']"],
  ['19.0', '19-common-engine', 'export default app;', ''],
  ['19.0 with NgModules', '19-common-engine-module', 'export default app;', ''],
  [
    '19, as Nx writes it',
    '19',
    'if (isMainModule(import.meta.url))',
    "if (isMainModule(import.meta.url) || process.env['pm_id'])",
  ],
])('the server.ts of Angular %s is replaced, too', async (_version, name, code, theirs) => {
  const tree = withServer(name);
  const text = scaffold(name).replace(code, theirs);
  expect(text).not.toBe(scaffold(name));
  tree.overwrite('/src/server.ts', text);
  const after = await runnerOf('koa').runSchematic('ng-add', {}, tree);
  expect(after.readText('/src/server.ts')).toContain('createKoaSsrServer');
});

test("Angular 19 with a host of its own is somebody's", async () => {
  const tree = withServer('19-common-engine');
  const text = scaffold('19-common-engine');
  tree.overwrite('/src/server.ts', text.replace('Engine()', "Engine({ allowedHosts: ['a.b'] })"));
  await expect(runnerOf('koa').runSchematic('ng-add', {}, tree)).rejects.toThrow(
    'NG_SSR_SERVER_FILE_CHANGED',
  );
});

test.each([
  [
    'imports in another order',
    (text: string) => text.replace(/^(import express.*\n)(import .*\n)/m, '$2$1'),
  ],
  [
    'braces of a lint rule',
    (text: string) => text.replace(/\{\s*throw error;\s*\}/, 'throw error;'),
  ],
  ['members of a lint rule', (text: string) => text.replace("env['PORT']", 'env.PORT')],
  ['tabs and CRLF', (text: string) => text.replaceAll('  ', '\t').replaceAll('\n', '\r\n')],
  [
    'comments of its own',
    (text: string) => `// Mine.\n${text.replaceAll(/\/\*[\s\S]*?\*\//g, '')}`,
  ],
])('a server.ts with %s is still stock', async (_what, change) => {
  const tree = copyOf(workspace);
  const text = tree.readText('/src/server.ts');
  const changed = change(text);
  expect(changed).not.toBe(text);
  tree.overwrite('/src/server.ts', changed);
  const after = await runnerOf('koa').runSchematic('ng-add', {}, tree);
  expect(after.readText('/src/server.ts')).toContain('createKoaSsrServer');
});

test.each(['koa', 'node', 'fastify', 'express'])(
  'ng new --ssr, then ng add @ng-ssr/%s',
  async (adapter) => {
    const tree = await newWorkspace({ ssr: true });
    // As Prettier writes it there, which Angular's own template does not.
    expect(tree.readText('/src/server.ts')).toContain('(response ? write');
    const after = await runnerOf(adapter).runSchematic('ng-add', {}, tree);
    expect(after.readText('/src/server.ts')).toContain(`@ng-ssr/${adapter}`);
  },
);
