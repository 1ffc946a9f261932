import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  ENCODINGS_FILE,
  MANIFEST_FILE as PACK_MANIFEST,
  PACK_FOLDER,
  packPlaces,
} from '../../files/pack/pack-folder.ts';
import { readWholeFileNow } from '../../files/file-part.ts';
import { makeFolder } from '../../files/make-folder.ts';
import {
  MANIFEST_FILE,
  type ManifestFile,
  MOST_MANIFEST_BYTES,
  readManifest,
  writeManifest,
} from './build-manifest.ts';
import { contentTag } from './content-tag.ts';
import type { OwnBuild } from './kept-source.ts';

/** The browser folder of a build in a builds folder. */
export const FILES_FOLDER = 'browser';

/** What begins so is being written or removed, and is no build. */
const UNFINISHED = '.unfinished-';
/** An unfinished folder of this age is of a process that was killed. */
const ABANDONED_MS = 60 * 60 * 1000;
/** A build that a running server has marked within this time stays, however many there are. */
const IN_USE_MS = 5 * 60 * 1000;

/** How often a running server marks its build. */
export const MARK_MS: number = 60 * 1000;

const IS_BUILD = /^[0-9a-f]{16}$/;

/** The ids of the builds in a folder, the newest first. */
function listBuilds(folder: string): readonly { readonly id: string; readonly markedMs: number }[] {
  return readdirSync(folder)
    .filter((name) => IS_BUILD.test(name))
    .flatMap((id) => {
      // Another server may remove it meanwhile.
      const stats = statSync(join(folder, id), { throwIfNoEntry: false });
      return stats?.isDirectory() ? [{ id, markedMs: stats.mtimeMs }] : [];
    })
    .sort((a, b) => b.markedMs - a.markedMs);
}

/**
 * Puts the files of a build into a folder, with its pack, if it is not there. Any number of processes may do so at
 * once, and one that is killed leaves nothing that others take for a build: it is written under another name, and renamed.
 *
 * @throws Error with the code of node:fs.
 */
export function publishBuild(folder: string, build: OwnBuild): void {
  makeFolder(folder);
  const place = join(folder, build.id);
  if (!isWhole(place)) {
    const written = join(folder, UNFINISHED + randomUUID());
    try {
      writeBuild(written, build);
      moveAway(folder, place, true);
      put(written, place);
    } finally {
      rmSync(written, { recursive: true, force: true });
    }
  }
  markBuild(folder, build.id);
}

export function markBuild(folder: string, id: string): void {
  const now = new Date();
  utimesSync(join(folder, id), now, now);
}

/**
 * Removes the builds that are too many: the oldest besides the server's own, unless a running server has marked them.
 *
 * @param keep - How many stay besides the server's own.
 * @throws Error with the code of node:fs.
 */
export function removeOldBuilds(folder: string, own: string, keep: number): void {
  const nowMs = Date.now();
  const others = listBuilds(folder).filter(({ id }) => id !== own);
  for (const { id, markedMs } of others.slice(keep)) {
    if (nowMs - markedMs >= IN_USE_MS) moveAway(folder, join(folder, id), false);
  }
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && nowMs - stats.mtimeMs >= ABANDONED_MS) remove(path);
  }
}

function writeBuild(place: string, { files, browserFolder }: OwnBuild): void {
  const written = new Map<string, ManifestFile>();
  makeFolder(place);
  for (const { path, absolutePath } of files) {
    const file = join(place, FILES_FOLDER, path);
    makeFolder(dirname(file));
    const content = readFileSync(absolutePath);
    writeFileSync(file, content);
    written.set(path, { bytes: content.byteLength, tag: contentTag(content) });
  }
  copyPack(browserFolder, place);
  // The last: a build without a manifest is none.
  writeFileSync(join(place, MANIFEST_FILE), writeManifest(written));
}

/** The pack of a folder of one locale is beside that of all. */
function copyPack(browserFolder: string, place: string): void {
  const pack = packPlaces(browserFolder).find(({ folder }) =>
    existsSync(join(folder, PACK_MANIFEST)),
  );
  if (pack === undefined || pack.below !== '') return;
  makeFolder(join(place, PACK_FOLDER));
  for (const name of [ENCODINGS_FILE, PACK_MANIFEST]) {
    copyFileSync(join(pack.folder, name), join(place, PACK_FOLDER, name));
  }
}

function isWhole(place: string): boolean {
  try {
    const { body } = readWholeFileNow(join(place, MANIFEST_FILE), MOST_MANIFEST_BYTES);
    readManifest(body.toString());
    return true;
  } catch {
    return false;
  }
}

/** A folder in the way is that of another server, which has just put the same build there. */
function put(written: string, place: string): void {
  try {
    renameSync(written, place);
  } catch (error) {
    if (!isWhole(place)) throw error;
  }
}

/** @param onlyDamaged - Whether a build that is whole stays. */
function moveAway(folder: string, place: string, onlyDamaged: boolean): void {
  if (onlyDamaged && (!existsSync(place) || isWhole(place))) return;
  // Other servers see all of a build or nothing.
  const removed = join(folder, UNFINISHED + randomUUID());
  try {
    renameSync(place, removed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  remove(removed);
}

/** Of two servers that remove the same, one finds less and less of it. */
function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}
