import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeChanges, filesOf } from './changes.ts';
import { expectGolden } from './golden.ts';
import { lint } from './lint.ts';
import { typeCheck } from './type-check.ts';
import { copyOf, editBuild, formatWith, newWorkspace, runnerOf } from './workspace.ts';

const folder = fileURLToPath(new URL('servers', import.meta.url));
const names = globSync('*.txt', { cwd: folder }).map((path) => basename(path, '.txt'));
const textOf = (name: string): string => readFileSync(`${folder}/${name}.txt`, 'utf8');

let workspace: UnitTestTree;
beforeAll(async () => {
  workspace = await newWorkspace({ ssr: true });
});

function withServer(text: string): UnitTestTree {
  const tree = copyOf(workspace);
  tree.overwrite('/src/server.ts', text);
  if (text.includes('CommonEngine')) {
    editBuild(tree, (options) => {
      delete options['outputMode'];
      delete options['security'];
    });
  }
  return tree;
}

async function run(
  tree: UnitTestTree,
  schematic = 'middleware',
): Promise<{ tree: UnitTestTree; said: string[] }> {
  const runner = runnerOf('express');
  const said: string[] = [];
  runner.logger.subscribe(({ message }) => said.push(message));
  return { tree: await runner.runSchematic(schematic, {}, tree), said };
}

test.each([
  ['handleErrors', true],
  ['Sentry.expressErrorHandler()', true],
  ['notFound', false],
  ['Sentry.lastly()', false],
])('failed renders go on to the middleware %s of another file: %s', async (one, isForwarded) => {
  const text = textOf('helmet-and-compression');
  const end = text.indexOf('/**\n * Start the server');
  expect(end).toBeGreaterThan(0);
  const imports = "import { handleErrors, notFound, Sentry } from './elsewhere';\n";
  const server = `${imports}${text.slice(0, end)}app.use(${one});\n\n${text.slice(end)}`;
  const { tree } = await run(withServer(server));
  expect(tree.readText('/src/server.ts').includes('forwardErrors: true')).toBe(isForwarded);
});

describe.each(names)('ng generate @ng-ssr/express:middleware: %s', (name) => {
  test('does what the golden says, and nothing the second time', async () => {
    const tree = withServer(textOf(name));
    const before = filesOf(tree);
    const { tree: after, said } = await run(tree);
    expectGolden(`middleware/${name}`, describeChanges(before, filesOf(after), said));

    const again = await run(copyOf(after));
    expect(again.said.join('\n')).toMatch(/already .*; nothing was changed/);
    expect(again.tree.readText('/src/server.ts')).toBe(after.readText('/src/server.ts'));
  });

  test('leaves it lint-clean where it was', async () => {
    const before = await lint(textOf(name));
    const { tree } = await run(withServer(textOf(name)));
    const rulesOf = (found: string[]): string[] => found.map((line) => line.replace(/^\d+: /, ''));
    expect(rulesOf(before)).toEqual(
      expect.arrayContaining(rulesOf(await lint(tree.readText('/src/server.ts')))),
    );
  });

  test('keeps line ends, and says the same once Prettier has formatted it', async () => {
    const text = textOf(name).replaceAll('\n', '\r\n');
    const { tree } = await run(withServer(text));
    const crlf = tree.readText('/src/server.ts');
    expect(crlf.replaceAll('\r\n', '')).not.toContain('\n');
    const { tree: other } = await run(withServer(textOf(name)));
    expect(crlf.replaceAll('\r\n', '\n')).toBe(other.readText('/src/server.ts'));
    await formatWith(other, { printWidth: 100, singleQuote: true }, '/src/server.ts');
  });
});

test('what it writes has the types of Express and of the package', async () => {
  const files: Record<string, string> = {};
  for (const name of names) {
    const { tree } = await run(withServer(textOf(name)));
    files[name] = tree.readText('/src/server.ts');
  }
  expect(typeCheck(files)).toEqual([]);
}, 120_000);

describe('ng generate remove, of what it has inserted', () => {
  const FORMAT = { printWidth: 100, singleQuote: true };
  const removed = async (name: string): Promise<UnitTestTree> => {
    const { tree } = await run(withServer(textOf(name)));
    const { tree: after, said } = await run(tree, 'remove');
    expect(said.join('\n')).toContain('removed ssrMiddleware() from');
    expect(after.readText('/package.json')).not.toContain('@ng-ssr/express');
    return after;
  };

  test.each(['helmet-and-compression', 'own-render-handler'])(
    'puts back what was there: %s',
    async (name) => {
      const before = withServer(textOf(name));
      const after = await removed(name);
      for (const tree of [before, after]) await formatWith(tree, FORMAT, '/src/server.ts');
      expect(after.readText('/src/server.ts')).toBe(before.readText('/src/server.ts'));
    },
  );

  test('leaves servers that render, with the types of Express and Angular', async () => {
    const files: Record<string, string> = {};
    for (const name of names) {
      files[name] = (await removed(name)).readText('/src/server.ts');
      expect(files[name]).toMatch(/(angularApp|commonEngine)\s*\.(handle|render)\(/);
      expect(files[name]).not.toContain('ssr;');
    }
    expect(typeCheck(files)).toEqual([]);
  }, 120_000);

  test.each([
    [
      'an option that would be lost',
      (text: string) => text.replace('engine:', 'cache: false,\n  engine:'),
    ],
    ['another use of it', (text: string) => `${text}\nexport const ready = () => ssr.ready();\n`],
  ])('is refused for %s', async (_what, change) => {
    const { tree } = await run(withServer(textOf('helmet-and-compression')));
    tree.overwrite('/src/server.ts', change(tree.readText('/src/server.ts')));
    await expect(run(tree, 'remove')).rejects.toThrow('NG_SSR_SERVER_FILE_CHANGED');
  });
});

test("Angular's own server keeps Express with it", async () => {
  const { tree } = await run(copyOf(workspace));
  const text = tree.readText('/src/server.ts');
  expect(text).toContain('app.use(ssr);');
  expect(text).not.toContain('angularApp');
  expect(text).not.toContain('express.static');
  expect(await lint(text)).toEqual([]);
  expect(tree.readText('/package.json')).toContain('"@ng-ssr/express"');
});

test.each([
  ['with its callback', (text: string) => text, true, false],
  [
    'whose result is used',
    (text: string) => text.replace('app.listen(', 'const mine = app.listen('),
    ...[false, true],
  ],
  [
    'of two',
    (text: string) => text.replace('export const reqHandler', 'app.listen(1);\n$&'),
    ...[false, true],
  ],
  [
    'of a server that handles signals',
    (text: string) => `${text}process.on('SIGTERM', () => process.exit());\n`,
    ...[false, false],
  ],
  [
    'of no server',
    (text: string) => text.replace(/^if \(isMainModule[^]*?^}$/m, ''),
    ...[false, false],
  ],
] as [string, (text: string) => string, boolean, boolean][])(
  'a call of listen %s',
  async (_what, change, isEdited, isLeft) => {
    const { tree, said } = await run(withServer(change(workspace.readText('/src/server.ts'))));
    const text = tree.readText('/src/server.ts');
    expect(text.includes('  });\n  shutDownOnSignals(httpServer, ssr);\n}')).toBe(isEdited);
    expect(text.includes('shutDownOnSignals')).toBe(isEdited);
    expect(said.some((one) => one.startsWith('Call shutDownOnSignals('))).toBe(isLeft);
  },
);

describe('ng add on a server with changes', () => {
  test.each(['express', 'koa'])('of %s says which lines keep it', async (adapter) => {
    const tree = withServer(textOf('helmet-and-compression'));
    await expect(runnerOf(adapter).runSchematic('ng-add', {}, tree)).rejects.toThrow(
      [
        "  import { appEngine, ssrMiddleware } from '@ng-ssr/express';",
        "  const ssr = ssrMiddleware({ engine: appEngine(), allowedHosts: ['localhost', '127.0.0.1'] });",
        '  app.use(ssr);',
      ].join('\n'),
    );
    await expect(
      runnerOf(adapter).runSchematic('ng-add', {}, withServer(textOf('helmet-and-compression'))),
    ).rejects.toThrow('ng generate @ng-ssr/express:middleware');
  });

  test('says nothing of Express where there is none', async () => {
    const tree = withServer('import { createServer } from "node:http";\ncreateServer();\n');
    const failure = runnerOf('koa').runSchematic('ng-add', {}, tree);
    await expect(failure).rejects.toThrow('NG_SSR_SERVER_FILE_CHANGED');
    await expect(failure).rejects.not.toThrow('ssrMiddleware');
  });
});

describe('the middleware is refused, and nothing is changed', () => {
  test.each([
    ['without an Express app', 'import { createServer } from "node:http";\ncreateServer();\n'],
    [
      'without a handler that renders',
      "import express from 'express';\nimport { pages } from './pages';\nconst app = express();\napp.use(pages);\n",
    ],
  ])('%s', async (_what, text) => {
    const tree = withServer(text);
    const before = filesOf(tree);
    const failure = run(tree);
    await expect(failure).rejects.toThrow('app.use(ssr);');
    await expect(failure).rejects.toThrow('NG_SSR_SERVER_NOT_EXPRESS');
    expect(filesOf(tree)).toEqual(before);
  });
});
