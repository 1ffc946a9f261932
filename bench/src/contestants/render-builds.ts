import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const app = join(root, 'bench/render-app');
const builds = join(root, 'tmp/bench/render');

/** The applications of `render-app/angular.json`: the pages of the benchmark, the example, the page of the timeline, and that of hints. */
export type RenderBuild =
  | 'pages-app'
  | 'pages-common'
  | 'shop-app'
  | 'shop-common'
  | 'timeline-app'
  | 'hints-inlined'
  | 'hints-linked';

/** How a copy of a build renders; see `render-app/src/sides`. */
export type RenderSide = 'bare' | 'ours' | 'slow' | 'ours-thread' | 'slow-thread';

/** What a build is made of: it is made again when one of these files changes. */
const SOURCES = [
  'bench/render-app/**/*.{ts,css,html,json}',
  'bench/src/frameworks/*.ts',
  'examples/material-app/src/**/*.{ts,scss,html}',
  'packages/{angular,core,dom,engines,node}/dist/**/*.js',
  'package-lock.json',
];

function stampOf(build: RenderBuild): string {
  const hash = createHash('sha256').update(build);
  for (const file of globSync(SOURCES, { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/**
 * Builds an application with the Angular CLI unless it is there already, and copies it once for each side,
 * so that sides in one process share neither compiled code nor the state of modules.
 *
 * @returns the module of each side.
 */
export function prepareRenderBuild<Side extends RenderSide>(
  build: RenderBuild,
  sides: readonly Side[],
): Readonly<Record<Side, string>> {
  const folder = join(builds, build);
  const marker = join(builds, `${build}.complete`);
  const stamp = stampOf(build);
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== stamp) {
    rmSync(marker, { force: true });
    rmSync(`${folder}-sides`, { recursive: true, force: true });
    const cli = join(root, 'node_modules/@angular/cli/bin/ng.js');
    const options = {
      cwd: app,
      stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
    };
    execFileSync(process.execPath, [cli, 'build', build], options);
    writeFileSync(marker, stamp);
  }
  const modules = sides.map((side) => {
    const copy = join(`${folder}-sides`, side);
    if (!existsSync(copy)) {
      mkdirSync(`${folder}-sides`, { recursive: true });
      cpSync(folder, copy, { recursive: true });
    }
    return [side, join(copy, 'server/server.mjs')];
  });
  return Object.fromEntries(modules) as Record<Side, string>;
}
