/** CHANGELOG.md: a title, a paragraph, and an entry for each version, the newest first. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** The entry of a version without its heading; undefined where there is none, or an empty one. */
export function notesOf(root, version) {
  const path = join(root, 'CHANGELOG.md');
  if (!existsSync(path)) return undefined;
  const entries = readFileSync(path, 'utf8').split(/^## /m).slice(1);
  const entry = entries.find((text) => text.split(/\s/, 1)[0] === version);
  return entry?.slice(entry.indexOf('\n')).trim() || undefined;
}

/** nx release writes a new entry before the title: puts the title back to the top, in the repository's format. */
export async function putTitleFirst(root) {
  const path = join(root, 'CHANGELOG.md');
  const text = readFileSync(path, 'utf8');
  const [entry, title, ...rest] = text.split(/^(?=# |## )/m).filter((part) => part.trim() !== '');
  if (!title?.startsWith('# ')) return;
  const ordered = [title, entry, ...rest].join('\n\n');
  writeFileSync(path, await format(ordered, { ...(await resolveConfig(path)), filepath: path }));
}
