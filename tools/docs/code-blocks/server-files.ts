import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { Preludes } from './preludes.ts';
import type { CodeBlock } from './read-code-blocks.ts';
import { toModule } from './to-module.ts';

const CREATES = /\b(?:create\w*Ssr(?:Server|Handler)|ssrMiddleware)(?:<.+?>)?\(|\bssrPlugin\b/;
/** As {@link toModule} writes a block that has options only. */
const FRAGMENT = /^export const fragment: Partial<(\w+)> = /m;
/** The server of a fragment, by its type. */
const SERVERS: Readonly<Record<string, string>> = {
  ServerOptions: '{ engine: engine(), ...fragment }',
  CallRules: '{ engine: engine(), features: [calls(fragment as Record<string, object>)] }',
};

/**
 * The sources of an application whose server runs the blocks that create a server, and those with options of one: a
 * value that is not allowed is an error when the server is created.
 *
 * @param folder - That of the preludes.
 * @returns The texts, by their paths below `src`.
 */
export function serverFiles(blocks: readonly CodeBlock[], folder: string): Record<string, string> {
  const preludes = new Preludes(folder);
  const modules = blocks.flatMap((block) => {
    const text = toRunning(toModule(block, preludes));
    return text === undefined ? [] : [[nameOf(block), text] as const];
  });
  const imported = new Set(modules.flatMap(([, text]) => preludesIn(text)));
  const imports = modules.map(([name]) => `import './${name}';`);
  return {
    ...Object.fromEntries(modules.map(([name, text]) => [`${name}.ts`, text])),
    ...Object.fromEntries(
      [...imported].map((name) => [
        `preludes/${name}.ts`,
        withValues(readFileSync(join(folder, `${name}.ts`), 'utf8')),
      ]),
    ),
    'server.ts': `${imports.join('\n')}
import { appEngine, createNodeSsrServer } from '@ng-ssr/node';

export const reqHandler = createNodeSsrServer({ engine: appEngine() }).reqHandler;
`,
  };
}

/** As `docs-caching-md-106`, for messages of the build. */
function nameOf({ page, line }: CodeBlock): string {
  return `${page.replaceAll(/[/.]/g, '-')}-${line}`;
}

/** @returns undefined for a block without a server. */
function toRunning(text: string): string | undefined {
  const options = SERVERS[FRAGMENT.exec(text)?.[1] ?? ''];
  if (options === undefined && !CREATES.test(text)) return undefined;
  const module = text
    .replace(
      "import { bootstrap } from './main.server.ts'",
      "import bootstrap from './main.server'",
    )
    .replaceAll(/from '\.\/([\w-]+)\.ts'/g, "from './preludes/$1'");
  if (options === undefined) return module;
  return `${module}
import { appEngine as engine, createKoaSsrServer as create, withCalls as calls } from '@ng-ssr/koa';
create(${options});
`;
}

function preludesIn(text: string): string[] {
  return [...text.matchAll(/from '\.\/preludes\/([\w-]+)'/g)].map(([, name]) => name!);
}

/** A prelude whose declared constants are undefined: blocks use them in functions only. */
function withValues(text: string): string {
  const source = ts.createSourceFile('prelude.ts', text, ts.ScriptTarget.Latest, true);
  let changed = text;
  for (const statement of source.statements.toReversed()) {
    const { modifiers } = statement as ts.VariableStatement;
    const declare = modifiers?.find(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
    if (declare === undefined || !ts.isVariableStatement(statement)) continue;
    const end = statement.declarationList.getEnd();
    const value = `${changed.slice(0, end)} = undefined as never${changed.slice(end)}`;
    changed = value.slice(0, declare.getStart()) + value.slice(declare.getEnd());
  }
  return changed;
}
