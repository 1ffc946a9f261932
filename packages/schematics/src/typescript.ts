import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript';

/** TypeScript's compiler API. */
export type TypeScript = typeof ts;

let loaded: TypeScript | undefined;

/**
 * The workspace's own TypeScript, which Angular's build needs. It is resolved from the workspace:
 * under strict package managers a package can only resolve its own dependencies.
 */
export function typeScript(): TypeScript {
  loaded ??= [join(process.cwd(), 'package.json'), __filename]
    .map((base) => tryLoad(base))
    .find((found) => found !== undefined);
  if (loaded !== undefined) return loaded;
  throw new Error(
    'typescript is not installed in this workspace: install it; Angular needs it too.',
  );
}

function tryLoad(base: string): TypeScript | undefined {
  try {
    return createRequire(base)('typescript') as TypeScript;
  } catch {
    return undefined;
  }
}

/** The syntax tree of a TypeScript file. */
export function parseSource(text: string): ts.SourceFile {
  const { createSourceFile, ScriptKind, ScriptTarget } = typeScript();
  return createSourceFile('server.ts', text, ScriptTarget.Latest, true, ScriptKind.TS);
}

/** All calls of a file. */
export function callsIn(source: ts.SourceFile): ts.CallExpression[] {
  const { isCallExpression, forEachChild } = typeScript();
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (isCallExpression(node)) found.push(node);
    forEachChild(node, visit);
  };
  visit(source);
  return found;
}
