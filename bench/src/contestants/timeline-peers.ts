import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Contestant } from '../measure/contestant.ts';

const root = join(import.meta.dirname, '../../..');
const sources = join(root, 'bench/timeline-peers');
const builds = join(root, 'tmp/bench/timeline');

/** The same page in frameworks that send a static page first: their sources are in `timeline-peers`. */
export type TimelinePeer = 'next' | 'astro';

const BUILD: Readonly<Record<TimelinePeer, readonly string[]>> = {
  next: ['node_modules/next/dist/bin/next', 'build'],
  astro: ['node_modules/astro/bin/astro.mjs', 'build'],
};

/**
 * Installs a peer from npm in the versions of its package.json, builds it for production, unless it is there already, and
 * says how it is started.
 */
export function timelinePeer(peer: TimelinePeer, name: string, fillMs: number): Contestant {
  const folder = join(builds, peer);
  const source = join(sources, peer);
  const hash = createHash('sha256');
  for (const file of globSync('**/*.*', { cwd: source }).sort()) {
    hash.update(file).update(readFileSync(join(source, file)));
  }
  const stamp = hash.digest('hex');
  const marker = `${folder}.complete`;
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== stamp) {
    rmSync(marker, { force: true });
    rmSync(folder, { recursive: true, force: true });
    cpSync(source, folder, { recursive: true });
    const run = (command: string, args: readonly string[]): void => {
      // npm and the builds start `node` by its name.
      const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
      const env = {
        ...process.env,
        PATH,
        NEXT_TELEMETRY_DISABLED: '1',
        ASTRO_TELEMETRY_DISABLED: '1',
      };
      execFileSync(command, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
    };
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error']);
    run(process.execPath, BUILD[peer]);
    writeFileSync(marker, stamp);
  }
  return {
    name,
    runtime: 'node',
    command: [process.execPath, join(folder, 'server.js')],
    env: { FILL_MS: String(fillMs) },
    isPinned: false,
    settles: false,
  };
}

/** The version of a peer's framework. */
export function versionOf(peer: TimelinePeer): string {
  const file = join(sources, peer, 'package.json');
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return dependencies[peer]!;
}
