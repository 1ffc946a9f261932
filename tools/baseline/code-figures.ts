import type { Figures } from './figures.ts';
import { importsOf, singleImporters } from './imports.ts';
import { roomOf, type SourceFile } from './source-files.ts';

/** A file with fewer lines rarely has a concept of its own. */
const FEW_LINES = 25;

/** Lines, files and imports of the packages. */
export function codeFigures(files: readonly SourceFile[]): Figures {
  const figures: Record<string, number> = {};
  const add = (name: string, count: number): void => {
    figures[name] = (figures[name] ?? 0) + count;
  };
  for (const file of files) {
    add(`lines/${file.package}`, file.lines);
    add(`files/${file.package}`, 1);
    if (file.lines < FEW_LINES) add(`files under ${FEW_LINES} lines/${file.package}`, 1);
    if (file.package !== 'core') continue;
    add(`lines/core/${roomOf(file)}`, file.lines);
    add(`files/core/${roomOf(file)}`, 1);
    const modules = importsOf(file).filter((specifier) => specifier.startsWith('node:'));
    add('node: imports/core', modules.length);
  }
  for (const file of singleImporters(files)) add(`single importer/${file.package}`, 1);
  return figures;
}
