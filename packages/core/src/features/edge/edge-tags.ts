import { createHash } from 'node:crypto';
import type { Purge } from '../../purge.ts';

/** Deeper folders have no tag of their own: a purge below one purges the whole of the eighth. */
const MOST_FOLDERS = 8;

/** How the tag of every page begins that an edge may keep. */
export const PATH_TAG = 'ng-p-';

/** Tags that every edge takes as they are. Those of paths are never the application's. */
const PLAIN_TAG = /^(?!ng-[pft]-)[!-+\--~]{1,128}$/;

/** The tag of one page, with all its queries and variants. */
export function tagOfPath(path: string): string {
  return PATH_TAG + hash(path);
}

/** The tags by which an edge can purge a page. */
export function tagsOfPage({
  path,
  tags,
}: {
  readonly path: string;
  readonly tags: readonly string[];
}): string[] {
  const own = new Set(tags.map(toEdgeTag));
  return [tagOfPath(path), ...foldersOf(path).map(tagOfFolder), ...own];
}

/**
 * The tag that reaches all pages that a purge means. A prefix that ends within a segment has none: that of its
 * folder reaches more pages, never fewer.
 */
export function tagOfPurge({ path, prefix, tag }: Purge): string {
  if (path !== undefined) return tagOfPath(path);
  if (prefix !== undefined) return tagOfFolder(foldersOf(prefix).at(-1) ?? '/');
  return toEdgeTag(tag!);
}

/** The path up to each of its slashes, the shortest first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    folders.push(path.slice(0, at + 1));
    if (folders.length === MOST_FOLDERS) break;
  }
  return folders;
}

function tagOfFolder(folder: string): string {
  return `ng-f-${hash(folder)}`;
}

/** Tags are seldom no tokens: spaces and commas would divide them, and edges bound their length. */
function toEdgeTag(tag: string): string {
  return PLAIN_TAG.test(tag) ? tag : `ng-t-${hash(tag)}`;
}

/** Two names with one hash are purged together. Lower case: some edges compare tags without case. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
