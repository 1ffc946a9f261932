/**
 * `npm run matrix`: builds one application, the gallery of tools/matrix, on the first and the last patch of each minor
 * version of Angular that is supported, and compares every page byte for byte: Angular's own server, ours, and ours
 * without `fast`. It ends with a table, and with 1 if pages differ. It takes ten minutes on two cores.
 *
 *   --angular 22.0.4    on these versions, exactly; default: those of packages/engines/src/tested-angulars.ts, and, for
 *                       information, the newest prerelease of the next major version
 *   --quick             what CI runs: the oldest and the newest version, each engine once on each
 *   --engine app        this engine
 *   --zone zoneless     with zone.js, or without
 *   --jobs 2            how many versions at a time; default: 2
 *   --keep              leaves the temporary folder, and says where it is
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNode, env, install, root } from './environment.mjs';
import { programOptions } from './program-options.ts';

const values = programOptions(import.meta.url, {
  angular: { type: 'string' },
  quick: { type: 'boolean', default: false },
  engine: { type: 'string' },
  zone: { type: 'string' },
  jobs: { type: 'string', default: '2' },
  keep: { type: 'boolean', default: false },
});

install();
await ensureNode();

const { run, stopAll } = await import('./e2e/child-process.mjs');
const { createLimit } = await import('./e2e/limit.mjs');
const { packAll } = await import('./e2e/pack.mjs');
const { startRegistry } = await import('./e2e/registry.mjs');
const { checkVersion } = await import('./matrix/check-version.mjs');
const { hasFailed, toTable } = await import('./matrix/table.mjs');
const { newestPrerelease, QUICK, VARIANTS, VERSIONS } = await import('./matrix/versions.mjs');

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-matrix-'));
const rows = [];
let registry;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopAll();
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
}

try {
  const args = ['run-many', '-t', 'build', '--exclude=@ng-ssr/example-*,bench'];
  await run('nx', args, { cwd: root, env: env(), limitMs: 600_000 });
  registry = await startRegistry(await packAll(join(folder, 'tarballs')));
  const limit = createLimit(Number(values.jobs) || 2);
  await Promise.all((await choose()).map((chosen) => limit(() => compareOn(chosen))));
} finally {
  stopAll();
  await registry?.close();
  if (values.keep) console.log(`kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
console.log(`\n${toTable(rows)}`);
process.exitCode = hasFailed(rows) ? 1 : 0;

/** The versions, and the variants of each. */
async function choose() {
  const isChosen = ({ engine, zone }) =>
    (values.engine ?? engine) === engine && (values.zone ?? zone) === zone;
  const prerelease = values.angular || values.quick ? undefined : await newestPrerelease();
  const versions = values.angular?.split(',') ?? [...VERSIONS, ...(prerelease ? [prerelease] : [])];
  const all = values.quick ? QUICK : versions.map((version) => ({ version, variants: VARIANTS }));
  const chosen = all.map(({ version, variants }) => ({
    version,
    variants: variants.filter(isChosen),
    isInformation: version === prerelease,
  }));
  if (chosen.every(({ variants }) => variants.length > 0)) return chosen;
  console.error(`No variant is this; there are: ${VARIANTS.map(Object.values).join('; ')}`);
  process.exit(1);
}

async function compareOn({ version, variants, isInformation }) {
  const place = join(folder, version);
  const found = (row) => rows.push({ ...row, isInformation });
  await checkVersion(version, variants, { npmrc: registry.npmrc, place, check, found });
  if (!values.keep) rmSync(place, { recursive: true, force: true });
}

async function check(name, action) {
  const begun = performance.now();
  const seconds = () => `${((performance.now() - begun) / 1000).toFixed(0)} s`;
  try {
    const note = await action();
    console.log(`ok ${name}${note ? `: ${note}` : ''} (${seconds()})`);
    return true;
  } catch (error) {
    console.log(`FAILED ${name} (${seconds()})\n${error.stack}`);
    return false;
  }
}
