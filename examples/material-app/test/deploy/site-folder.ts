import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fileShownIn } from '../../../../packages/schematics/test/deploy-page.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const BUILD = join(import.meta.dirname, '../../dist/app');
/** The example's build, packed as the script postbuild does it, once: each server would compress the files again. */
export function packedBuild(): string {
  const time = Math.floor(statSync(join(BUILD, 'server/server.mjs')).mtimeMs);
  const packed = `${BUILD}-packed-${time}`;
  if (existsSync(packed)) return packed;
  const folder = mkdtempSync(`${BUILD}-unpacked-`);
  cpSync(BUILD, folder, { recursive: true });
  chmodSync(folder, 0o755);
  const pack = join(ROOT, 'packages/koa/bin/ng-ssr.js');
  execFileSync(process.execPath, [pack, 'pack', folder], { stdio: 'ignore' });
  try {
    renameSync(folder, packed);
  } catch {
    // Another spec has been faster, and has its servers there.
    rmSync(folder, { recursive: true });
    return packed;
  }
  for (const name of readdirSync(dirname(BUILD))) {
    const isOld = name.startsWith('app-packed-') && name !== basename(packed);
    if (isOld) rmSync(join(dirname(BUILD), name), { recursive: true });
  }
  return packed;
}

/** A folder that ends with the test. Every user may read it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-deployed-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A folder with the example as the build of an application named shop, as the pages of docs/deploy have it.
 *
 * @param isCopied - For tests that change the build, or run it as another user. Default: a link to the build.
 */
export function shopFolder(isCopied = false): string {
  const folder = temporaryFolder();
  const build = join(folder, 'dist/shop');
  mkdirSync(dirname(build));
  if (isCopied) cpSync(packedBuild(), build, { recursive: true });
  else symlinkSync(packedBuild(), build);
  return folder;
}

/** Copies a file from a page of docs/deploy, as its reader does. */
export function copyFrom(page: string, path: string, folder: string, adapter?: string): string {
  const text = fileShownIn(page, path, adapter);
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return text;
}
