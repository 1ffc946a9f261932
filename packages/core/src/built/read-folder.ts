import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { SsrError } from '../errors.ts';

/** A file the build has left in the browser folder. */
export interface BuiltFile {
  /** Below the browser folder, with `/` in front and between, not percent-encoded. */
  readonly path: string;
  readonly absolutePath: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/**
 * Lists every file of the browser folder that may be served: no dotfiles but `.well-known` (RFC
 * 8615), and nothing whose real place is outside the folder.
 *
 * @throws SsrError `NG_SSR_INDEX_FAILED` when the folder cannot be read.
 */
export function readFolder(folder: string): BuiltFile[] {
  try {
    const root = realpathSync(folder);
    const files: BuiltFile[] = [];
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() && !entry.isSymbolicLink()) continue;
      const absolutePath = join(entry.parentPath, entry.name);
      const segments = relative(root, absolutePath).split(sep);
      if (segments.some(isHidden) || !isInside(root, absolutePath)) continue;
      const stats = statSync(absolutePath);
      if (!stats.isFile()) continue;
      files.push({
        path: `/${segments.join('/')}`,
        absolutePath,
        sizeBytes: stats.size,
        modifiedMs: Math.floor(stats.mtimeMs / 1000) * 1000,
      });
    }
    return files;
  } catch (cause) {
    throw new SsrError('NG_SSR_INDEX_FAILED', `browserFolder ${folder} cannot be read`, { cause });
  }
}

function isHidden(segment: string): boolean {
  return segment.startsWith('.') && segment !== '.well-known';
}

function isInside(root: string, path: string): boolean {
  try {
    return realpathSync(path).startsWith(root + sep);
  } catch {
    return false; // A dangling link.
  }
}
