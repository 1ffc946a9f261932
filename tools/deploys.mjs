/**
 * `npm run deploys`: starts what `ng generate deploy` writes for each target, asks it for pages and probes, and makes a
 * table of it in docs/deploy/README.md. It needs a build of the example (npm run build), and takes some minutes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ensureNode, env, root } from './environment.mjs';
import { readRuns, toTable } from './deploys/table.mjs';

await ensureNode();
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-deploys-'));
const log = join(folder, 'runs.jsonl');
const report = join(folder, 'report.json');
writeFileSync(log, '');
try {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const specs = ['packages/edge/test/varnish.spec.ts', 'examples/material-app/test/deploy'];
  const { status } = spawnSync('vitest', ['run', ...reporters, ...specs], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: env({ NG_SSR_RUN_LOG: log, NG_SSR_TESTS: 'all' }),
  });
  const runs = readRuns(readFileSync(log, 'utf8'));
  await writeTable(toTable(runs, JSON.parse(readFileSync(report, 'utf8'))));
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

async function writeTable(table) {
  const path = join(root, 'docs/deploy/README.md');
  const text = readFileSync(path, 'utf8').replace(
    /(<!-- npm run deploys -->\n)[^]*(<!-- end of npm run deploys -->)/,
    (_, begin, end) => `${begin}\n${table}\n${end}`,
  );
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
  console.log(table);
}
