import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Ignored by git and not copied: installed packages, which are linked, and caches. */
const LEFT_OUT = /^(?:tmp|\.nx|coverage)\/|(?:^|\/)(?:\.angular|node_modules)\/$/;

/**
 * Makes a copy of a checkout, in which packages import one another and no package of the original.
 *
 * @param ref - A commit in place of the files as they are.
 */
export function makeScratch(checkout: string, scratch: string, ref: string | undefined): void {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  if (ref === undefined) {
    copyFiles(checkout, scratch, ['--cached', '--others']);
    copyBuilds(checkout, scratch);
  } else {
    // Without builds: compilers keep modules that the other commit does not have, and bundles would contain them.
    extract(checkout, scratch, ref);
  }
  for (const folder of foldersWithPackages(checkout)) {
    linkTree(join(checkout, folder, 'node_modules'), join(scratch, folder, 'node_modules'));
  }
  // A planted patch does not apply any more.
  rmSync(join(scratch, 'tools/test/faults.spec.ts'), { force: true });
  // Otherwise `git apply` would look for the files in the repository around it.
  git(scratch, ['init', '--quiet']);
  git(scratch, ['add', '--all']);
}

function copyFiles(checkout: string, scratch: string, which: readonly string[]): void {
  for (const file of list(checkout, [...which, '--exclude-standard'])) {
    const from = join(checkout, file);
    // Deleted, and still in the index.
    if (existsSync(from)) copy(from, join(scratch, file));
  }
}

function extract(checkout: string, scratch: string, ref: string): void {
  const archive = join(scratch, '.archive.tar');
  git(checkout, ['archive', '--format=tar', '--output', archive, ref]);
  runOrFail('tar', ['-xf', archive, '-C', scratch], scratch);
  rmSync(archive);
}

/** What is built, with its times: then only what has changed is compiled again. Compilers write into these files. */
function copyBuilds(checkout: string, scratch: string): void {
  const ignored = list(checkout, ['--others', '--ignored', '--exclude-standard', '--directory']);
  for (const path of ignored) {
    if (LEFT_OUT.test(path) || !path.endsWith('/')) continue;
    cpSync(join(checkout, path), join(scratch, path), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
  }
}

function foldersWithPackages(checkout: string): string[] {
  const ignored = list(checkout, ['--others', '--ignored', '--exclude-standard', '--directory']);
  return ignored
    .filter((path) => /(?:^|\/)node_modules\/$/.test(path) && !path.startsWith('tmp/'))
    .map((path) => dirname(path));
}

/** Nothing writes into installed files, so the copy shares them; `@ng-ssr/*` are links to the copy's own folders. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.isDirectory()) linkSync(source, target);
    else if (!entry.name.startsWith('.') || entry.name === '.bin') linkTree(source, target);
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}

function list(checkout: string, options: readonly string[]): string[] {
  return git(checkout, ['ls-files', '-z', ...options])
    .split('\0')
    .filter((path) => path !== '');
}

/** @throws Error with what git has printed. */
export function git(cwd: string, options: readonly string[]): string {
  return runOrFail('git', options, cwd);
}

function runOrFail(command: string, options: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, options, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${options.join(' ')} failed: ${stderr}`);
}
