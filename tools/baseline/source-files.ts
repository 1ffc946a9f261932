import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of a package. */
export interface SourceFile {
  readonly package: string;
  /** Below `src`, such as `render/scheduler.ts`. */
  readonly path: string;
  readonly text: string;
  /** Comments and empty lines included. */
  readonly lines: number;
}

/** The sources of all packages: `packages/<name>/src`. */
export function readSourceFiles(root: string): readonly SourceFile[] {
  const packages = join(root, 'packages');
  return readdirSync(packages)
    .sort()
    .flatMap((name) => {
      const folder = join(packages, name, 'src');
      const paths = globSync('**/*.{ts,js,mjs}', { cwd: folder });
      return paths.sort().map((path) => {
        const text = readFileSync(join(folder, path), 'utf8');
        return { package: name, path, text, lines: text.split('\n').length - 1 };
      });
    });
}

/** The first folder of a path, or `root`. */
export function roomOf({ path }: SourceFile): string {
  const end = path.indexOf('/');
  return end === -1 ? 'root' : path.slice(0, end);
}
