import { join } from 'node:path/posix';
import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

/** What a file imports, re-exports, or imports by a call; types included. */
export function importsOf({ text }: SourceFile): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The files that exactly one file of their package imports. */
export function singleImporters(files: readonly SourceFile[]): readonly SourceFile[] {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    const own = `${file.package}/${file.path}`;
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith('.')) continue;
      const imported = join(own, '..', specifier);
      importers.set(imported, (importers.get(imported) ?? new Set()).add(own));
    }
  }
  return files.filter((file) => importers.get(`${file.package}/${file.path}`)?.size === 1);
}
