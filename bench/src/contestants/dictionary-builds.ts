import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The hash of the script that a deploy changes. */
const NEXT_HASH = 'NEXTLINE';

/** A page in a build, by its path. */
export type Pages = Readonly<Record<string, Uint8Array>>;

/** Two builds of the example. */
export interface Deploy {
  readonly first: string;
  readonly second: string;
  /** The script that has changed, in the first build and in the second. */
  readonly scripts: readonly [string, string];
}

/**
 * Copies the example's build and packs it; and the same with another string in its main script, packed against the
 * first: what a deploy of one line changes, the hash of the script in all pages included.
 *
 * @param pages - Pages that were rendered, and are added to those that are prerendered.
 * @throws Error when the example is not built, or the command fails.
 */
export function makeDeploy(to: string, pages: Pages): Deploy {
  const from = join(root, 'examples/material-app/dist/app');
  if (!existsSync(join(from, 'browser'))) {
    throw new Error('the example is not built: run "npm run build" first');
  }
  rmSync(to, { recursive: true, force: true });
  const [first, second] = [join(to, 'first'), join(to, 'second')];
  cpSync(join(from, 'browser'), join(first, 'browser'), { recursive: true });
  for (const [path, content] of Object.entries(pages)) {
    mkdirSync(join(first, 'browser', path), { recursive: true });
    writeFileSync(join(first, 'browser', path, 'index.html'), content);
  }
  const routes = ['/', '/about', '/catalog', '/guide', ...Object.keys(pages)];
  const listed = JSON.stringify({ routes: Object.fromEntries(routes.map((path) => [path, {}])) });
  writeFileSync(join(first, 'prerendered-routes.json'), listed);
  cpSync(first, second, { recursive: true });
  const scripts = changeMain(join(second, 'browser'));
  pack(first);
  pack(second, '--previous', first);
  return { first, second, scripts };
}

function changeMain(browser: string): readonly [string, string] {
  const before = readdirSync(browser).find((name) => /^main-\w{8}\.js$/.test(name));
  if (before === undefined) throw new Error(`${browser} has no main script`);
  const after = `main-${NEXT_HASH}.js`;
  renameSync(join(browser, before), join(browser, after));
  const main = readFileSync(join(browser, after), 'utf8');
  const changed = main.replace('Ember & Slip', 'Ember & Slips');
  if (changed === main) throw new Error(`${before} has not the string that a deploy changes`);
  writeFileSync(join(browser, after), changed);
  for (const path of readdirSync(browser, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(html|js)$/.test(path)) continue;
    const text = readFileSync(join(browser, path), 'utf8');
    if (text.includes(before)) writeFileSync(join(browser, path), text.replaceAll(before, after));
  }
  return [`/${before}`, `/${after}`];
}

function pack(folder: string, ...options: readonly string[]): void {
  const command = join(root, 'packages/node/bin/ng-ssr.js');
  const args = [command, 'pack', folder, ...options];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
