import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { SsrError } from '../errors.ts';
import { isKernelFolder } from './kernel-folder.ts';

/** A file in the browser folder. */
export interface BuiltFile {
  /** Below the browser folder, with `/` in front and between, not percent-encoded. */
  readonly path: string;
  /** Its real path, with links resolved. */
  readonly absolutePath: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/**
 * Lists every file of the browser folder that may be served: no dotfiles except `.well-known` (RFC
 * 8615), and nothing whose real path is outside the folder. A link to a folder is followed, but not
 * links to further folders below it, so that links to each other do not loop.
 *
 * @param mostEntries - How many files and folders a build may have.
 * @throws SsrError `NG_SSR_INDEX_FAILED` when the folder cannot be read, has more, or is one of the kernel.
 */
export function readFolder(folder: string, mostEntries: number = MOST_ENTRIES): BuiltFile[] {
  try {
    const root = realpathSync(folder);
    if (isKernelFolder(root)) throw new Error('it is a kernel folder');
    const walk: Walk = { root, files: [], left: mostEntries };
    addFolder(walk, { realPath: root, path: '', isLinked: false });
    return walk.files;
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    const message = `files.folder ${JSON.stringify(folder)} cannot be read${reason}`;
    throw new SsrError('NG_SSR_INDEX_FAILED', message, { cause });
  }
}

/** More is no build: the folder is `/`, or one of a whole project. */
const MOST_ENTRIES = 1_000_000;

interface Walk {
  readonly root: string;
  readonly files: BuiltFile[];
  /** How many files and folders it may still have. */
  left: number;
}

function addFolder(
  walk: Walk,
  folder: { readonly realPath: string; readonly path: string; readonly isLinked: boolean },
): void {
  for (const entry of readdirSync(folder.realPath, { withFileTypes: true })) {
    if (walk.left-- === 0) throw new Error('it has too many files and folders for a build');
    if (isHidden(entry.name)) continue;
    const path = `${folder.path}/${entry.name}`;
    const isLink = entry.isSymbolicLink();
    const ownPath = join(folder.realPath, entry.name);
    const realPath = isLink ? targetOf(ownPath) : ownPath;
    if (realPath === undefined || !realPath.startsWith(walk.root + sep)) continue;
    const stats = statSync(realPath);
    if (stats.isDirectory()) {
      const isLoop = ownPath.startsWith(realPath + sep);
      if (isLink && (folder.isLinked || isLoop)) continue;
      addFolder(walk, { realPath, path, isLinked: folder.isLinked || isLink });
    } else if (stats.isFile()) {
      walk.files.push({
        path,
        absolutePath: realPath,
        sizeBytes: stats.size,
        modifiedMs: Math.floor(stats.mtimeMs / 1000) * 1000,
      });
    }
  }
}

function isHidden(name: string): boolean {
  return name.startsWith('.') && name !== '.well-known';
}

/** Undefined for a dangling link, or one to itself. */
function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}
