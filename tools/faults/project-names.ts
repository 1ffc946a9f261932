import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of vitest's projects. */
export function projectNames(root: string): string[] {
  return globSync('{packages/*,examples/*,bench,native,tools}/vitest.config.ts', {
    cwd: root,
  }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return /\bname: '([\w-]+)'/.exec(text)?.[1] ?? [];
  });
}
