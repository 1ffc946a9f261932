import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { alikeServers } from '../docs/code-blocks/alike-servers.ts';
import { compileBlocks } from '../docs/code-blocks/compile-blocks.ts';
import { KnownCommands } from '../docs/code-blocks/known-commands.ts';
import { problemsOf } from '../docs/code-blocks/parse-block.ts';
import { Preludes } from '../docs/code-blocks/preludes.ts';
import { type CodeBlock, readCodeBlocks } from '../docs/code-blocks/read-code-blocks.ts';
import { readFence } from '../docs/code-blocks/read-fence.ts';
import { shellCommands } from '../docs/code-blocks/shell-commands.ts';
import { emptyWorkspace } from '../../packages/schematics/test/workspace.ts';

const root = join(import.meta.dirname, '../..');
const pages = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'README.md',
    'docs',
    'packages/*/README.md',
  ],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path.endsWith('.md'));
const blocks = pages.flatMap((page) =>
  readCodeBlocks(page, readFileSync(join(root, page), 'utf8')),
);

/** Each says why beside its block. More need a reason that holds. */
const NOT_COMPILED = 2;
const NOT_PARSED = [
  ...['', 'dockerfile', 'gitignore', 'ini', 'nginx', 'procfile', 'text', 'toml'],
  // By the other tests.
  ...['sh', 'ts'],
];

const wrong: CodeBlock = {
  ...{ page: 'wrong.md', line: 10, language: 'ts', tab: undefined },
  ...{ fragmentOf: undefined, notCompiled: undefined },
  code: "createKoaSsrServer({\n  engine: appEngine(),\n  cache: { maxBytes: '1 MiB' },\n});",
};

/** Two tabs, of which the second one is wrong, and a diff of a whole file. */
const TABS = `\`\`\`ts fastify
server.app.get('/api/time', () => ({ now: Date.now() }));
\`\`\`

\`\`\`ts koa
server.app.get('/api/time', () => ({ now: Date.now() }));
\`\`\`

\`\`\`diff
 // src/app/title.ts
-export const title: string = 1;
+export const title: number = 'Shop';
 export const subtitle = title;
\`\`\`
`;

test('the TypeScript of each page compiles in an application of ng new', async () => {
  const tsConfig = (await emptyWorkspace()).readText('/tsconfig.json');
  const compiled = blocks.filter(({ language, notCompiled }) => language === 'ts' && !notCompiled);
  const alike = compiled.flatMap((block) =>
    [...(alikeServers(block.page, block.code) ?? [])].map(([tab, code]) => ({
      ...{ ...block, page: `${block.page} (${tab})`, tab, code },
    })),
  );
  expect(alike.length).toBeGreaterThan(60);
  const known = [wrong, ...readCodeBlocks('tabs.md', TABS)];
  const errors = compileBlocks(
    [...compiled, ...alike, ...known],
    join(root, 'tools/docs/preludes'),
    tsConfig,
  );
  expect(errors).toEqual([
    "wrong.md:12: Type 'string' is not assignable to type 'number'.",
    expect.stringMatching(/^tabs\.md:6: Property 'get' does not exist on type 'Application</),
    "tabs.md:12: Type 'string' is not assignable to type 'number'.",
  ]);
});

/** What people copy as a whole server.ts. */
const programs = blocks.filter(
  ({ page, language, code }) =>
    /^docs\/(start\/|errors\.md|lifecycle\.md)/.test(page) &&
    language === 'ts' &&
    /^import .*? from '@ng-ssr\/\w+';|^export const reqHandler\b/ms.test(code),
);

test('a server.ts that a page shows is whole: it names all it uses, and listens', () => {
  const preludes = new Preludes(join(root, 'tools/docs/preludes'));
  const incomplete = programs.flatMap((block) => {
    const { page, line, code } = block;
    const source = ts.createSourceFile('server.ts', code, ts.ScriptTarget.Latest, true);
    const missing = preludes.importsFor(block, source);
    const listens = /\bif \((?:server\.)?isMainModule\(import\.meta\.url\)\)/.test(code);
    return missing === '' && listens ? [] : [`${page}:${line}: ${missing || 'does not listen'}`];
  });
  expect(incomplete).toEqual([]);
  expect(programs.length).toBeGreaterThan(12);
});

test('server routes have an entry for every other route, without which ng build fails', () => {
  const routes = blocks.filter(({ code }) => /\bserverRoutes\b.* = \[/.test(code));
  const incomplete = routes.filter(({ code }) => !code.includes("path: '**'"));
  expect(incomplete.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  expect(routes.length).toBeGreaterThan(1);
});

test('blocks that are not compiled are few', () => {
  const left = blocks.filter(({ notCompiled }) => notCompiled !== undefined);
  expect(left.map(({ page, notCompiled }) => `${page}: ${notCompiled}`)).toHaveLength(NOT_COMPILED);
});

test('each command of ng-ssr, npm, npx, ng, nx and node exists', async () => {
  const known = await KnownCommands.read(root);
  const problems = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ page, line, code }) =>
      shellCommands(code).flatMap((command) => {
        const problem = known.problemOf(command);
        return problem === undefined ? [] : [`${page}:${line}: ${command.join(' ')}: ${problem}`];
      }),
    );
  expect(problems).toEqual([]);
});

test.each([
  ['A=$(openssl rand -hex 3) npm run nothing', 'there is no script nothing'],
  ['npm run bench -w nowhere', 'there is no workspace nowhere'],
  ['npm install @ng-ssr/nothing', 'there is no package @ng-ssr/nothing'],
  ['ng build && npx ng-ssr pakc dist/shop', 'ng-ssr has no command pakc'],
  ['npx ng-ssr pack \\\n dist/shop --nothing # a comment', 'ng-ssr pack has no --nothing'],
  ['ng add @ng-ssr/koa --nothing', '@ng-ssr/koa:ng-add has no option nothing'],
  ['ng generate @ng-ssr/koa:nothing', '@ng-ssr/koa has no schematic nothing'],
  ["sudo node 'nothing.mjs' | cat", 'there is no program nothing.mjs'],
])('of the commands %j it says: %s', async (code, problem) => {
  const known = await KnownCommands.read(root);
  const problems = shellCommands(code).flatMap((command) => known.problemOf(command) ?? []);
  expect(problems).toEqual([problem]);
});

test('blocks in other languages parse', () => {
  const problems = blocks.map((block) => ({ block, found: problemsOf(block) }));
  expect(problems.flatMap(({ found }) => found ?? [])).toEqual([]);
  const unparsed = problems.filter(({ found }) => found === undefined);
  const languages = new Set(unparsed.map(({ block }) => block.language));
  expect([...languages].filter((language) => !NOT_PARSED.includes(language))).toEqual([]);
});

test.each([
  ['json', '"a": 1,'],
  ['jsonc', '{ "a": }'],
  ['js', 'const = 1;'],
  ['html', '@if (a { <p></p> }'],
  ['yaml', 'a: [1'],
])('of a wrong block in %s it says so', (language, code) => {
  expect(problemsOf({ ...wrong, language, code })).not.toEqual([]);
});

test('a fence has a language, a tab and a file, and no other word', () => {
  expect(readFence('ts koa', '// src/server.ts: the end\n')).toMatchObject({
    language: 'ts',
    tab: 'koa',
    title: 'src/server.ts: the end',
  });
  expect(readFence('json package.json', '{}')).toMatchObject({ title: 'package.json' });
  expect(readFence('ts', '// Runs in Node.js')).toMatchObject({ title: undefined });
  expect(() => readFence('ts kao', '')).toThrow('"kao" in "ts kao" is not a tab or a file');
});
