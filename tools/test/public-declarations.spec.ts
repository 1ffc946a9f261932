import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Manifest {
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** The declarations that users import, of all packages. */
const entries = globSync('{packages/*,native}/package.json', { cwd: root }).flatMap((path) => {
  const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
  if (manifest.private === true) return [];
  return Object.values(manifest.exports ?? {}).flatMap((entry) =>
    typeof entry === 'string' || entry.types === undefined
      ? []
      : [join(root, dirname(path), entry.types)],
  );
});

/** What is wrong with our declarations in an application that checks those of libraries, too. */
function problemsWith(lib: readonly string[]): string[] {
  const program = ts.createProgram(entries, {
    lib: lib.map((name) => `lib.${name}.d.ts`),
    types: ['node'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Preserve,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
  });
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => !relative(root, fileName).startsWith('node_modules'));
  // Only those: with all that they import this takes half a minute.
  const found = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return found.map(
    ({ file, code, messageText }) =>
      `${relative(root, file!.fileName)}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}

// `ng new` writes none, which is that of the target, ES2022. Applications that began before Angular 12 have es2017 or es2018.
test('the declarations compile with the oldest lib of applications', () => {
  expect(entries.length).toBeGreaterThan(20);
  expect(problemsWith(['es2017', 'dom'])).toEqual([]);
});
