import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A program in an editor, and where in it the editor is asked. */
function open(adapter: string, create: string) {
  const file = join(root, `packages/${adapter}/test/in-an-editor.ts`);
  const text = `import { ${create} } from '@ng-ssr/${adapter}';
const server = ${create}({ engine: () => null, trustProxyHeaders: [''] });
void server.listen();
`;
  const host: ts.LanguageServiceHost = {
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      skipLibCheck: true,
      types: ['node'],
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const found = name === file ? text : ts.sys.readFile(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  };
  return { service: ts.createLanguageService(host), file, text };
}

test.each([
  ['node', 'createNodeSsrServer'],
  ['koa', 'createKoaSsrServer'],
  ['fastify', 'createFastifySsrServer'],
  ['express', 'createExpressSsrServer'],
])('@ng-ssr/%s: editors explain listen, and complete the headers of proxies', (adapter, create) => {
  const { service, file, text } = open(adapter, create);
  const info = service.getQuickInfoAtPosition(file, text.indexOf('listen('));
  expect(ts.displayPartsToString(info?.documentation)).toMatch(/^Starts the server/);
  const completions = service.getCompletionsAtPosition(file, text.indexOf("['") + 2, undefined);
  expect(completions?.entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['forwarded', 'x-forwarded-host', 'x-forwarded-proto']),
  );
});
