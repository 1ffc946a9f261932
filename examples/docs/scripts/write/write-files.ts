import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generated, root } from '../repository.ts';

/** Writes files that are served as they are: by their address, without a slash at its start. */
export function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [address, text] of Object.entries(files)) writeFileSync(toFile(address), text);
}

/** Copies images of the repository to their addresses. */
export function copyImages(images: ReadonlyMap<string, string>): void {
  for (const [address, file] of images) cpSync(join(root, file), toFile(address));
}

function toFile(address: string): string {
  const file = join(generated, 'public', address);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}
