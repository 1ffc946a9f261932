import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The specifiers of dynamic imports that are not string literals, as text with their comments. */
function computedSpecifiers(program: string): string[] {
  const source = ts.createSourceFile('program.js', program, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (!ts.isStringLiteralLike(specifier!)) found.push(specifier!.getFullText(source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

// `ng serve` bundles the packages with Vite, which prints a warning for each import that it cannot resolve.
// Applications contain neither the CLI nor the schematics.
test('Vite is told to ignore imports of computed specifiers in built files', () => {
  const files = globSync('packages/*/dist/**/*.js', {
    cwd: root,
    exclude: ['packages/{cli,schematics}/**'],
  });
  const found = files.flatMap((file) =>
    computedSpecifiers(readFileSync(join(root, file), 'utf8')).map((text) => ({ file, text })),
  );
  expect(found.length).toBeGreaterThanOrEqual(3);
  expect(found.filter(({ text }) => !text.includes('/* @vite-ignore */'))).toEqual([]);
});

test('computed specifiers are found', () => {
  const program = "import('a'); await import(`b`); void import(/* c */ d); import(e(f));";
  expect(computedSpecifiers(program)).toEqual(['/* c */ d', 'e(f)']);
});
