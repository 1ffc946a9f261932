import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A file of a build. */
export interface BuiltFile {
  /** Below the folder that was listed, from "/". */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Lists the files of a folder. As the server does, it takes nothing whose real path is outside the folder, and follows
 * no link below a link: links to each other would never end.
 */
export function listFiles(folder: string): readonly BuiltFile[] {
  if (!existsSync(folder)) return [];
  const root = realpathSync(folder);
  const files: BuiltFile[] = [];
  addFolder(files, root, { realPath: root, path: '', isLinked: false });
  return files;
}

function addFolder(
  files: BuiltFile[],
  root: string,
  folder: { readonly realPath: string; readonly path: string; readonly isLinked: boolean },
): void {
  for (const entry of readdirSync(folder.realPath, { withFileTypes: true })) {
    const path = `${folder.path}/${entry.name}`;
    const isLink = entry.isSymbolicLink();
    const ownPath = join(folder.realPath, entry.name);
    const realPath = isLink ? targetOf(ownPath) : ownPath;
    if (realPath?.startsWith(root + sep) !== true) continue;
    const stats = statSync(realPath, { throwIfNoEntry: false });
    if (stats?.isFile() === true) files.push({ path, bytes: stats.size });
    const isLoop = isLink && (folder.isLinked || ownPath.startsWith(realPath + sep));
    if (stats?.isDirectory() !== true || isLoop) continue;
    addFolder(files, root, { realPath, path, isLinked: folder.isLinked || isLink });
  }
}

/** Undefined for a link to nowhere, or to itself. */
function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}
