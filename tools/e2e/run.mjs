/**
 * `npm run e2e`: packs every package, serves the tarballs on the loopback interface, and does with
 * each adapter and engine what a user does: ng new, ng add, ng build, ng serve, deploy.
 *
 *   --only koa,node    these adapters
 *   --engine app       this engine
 *   --angular 21.2.0   on this Angular, exactly; default: the repository's
 *   --packages         the packages' checks alone
 *   --update           writes the golden list of packed files anew
 *   --keep             leaves the temporary folder, and says where it is
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureNode, env, install, root } from '../environment.mjs';

install();
await ensureNode();

const { run, stopAll } = await import('./child-process.mjs');
const { checkPackages } = await import('./package-checks.mjs');
const { packAll } = await import('./pack.mjs');
const { startRegistry } = await import('./registry.mjs');
const { adapters, engines } = await import('./variants.mjs');
const { createStarts } = await import('./workspace.mjs');
const { checkAdapter } = await import('./adapter-checks.mjs');
const { checkMiddleware } = await import('./middleware-checks.mjs');

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    engine: { type: 'string' },
    angular: { type: 'string' },
    packages: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const chosenAdapters = choose('--only', values.only, Object.keys(adapters));
const chosenEngines = choose('--engine', values.engine, Object.keys(engines));

/** One row for each thing that was checked. */
const results = [];
const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-e2e-'));
let registry;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopAll();
    removeFolder();
    process.exit(1);
  });
}

try {
  say('building');
  await run('nx', ['run-many', '-t', 'build', '--exclude=@ng-ssr/example-*,bench'], {
    cwd: root,
    env: env(),
    limitMs: 600_000,
  });
  if (!existsSync(join(root, 'native/prebuilds'))) {
    await run('npm', ['run', 'prebuildify', '-w', '@ng-ssr/etag'], { cwd: root, env: env() });
  }
  say('packing');
  const packed = await packAll(join(folder, 'tarballs'));
  await checkPackages(packed, { update: values.update, check });
  if (!values.packages) {
    registry = await startRegistry(packed);
    say('creating workspaces');
    const starts = await createStarts(join(folder, 'starts'), registry.npmrc, values.angular);
    for (const adapter of chosenAdapters) {
      for (const engine of chosenEngines) {
        const place = join(folder, `${adapter}-${engine}`);
        await checkAdapter(adapter, engine, { starts, place, check, say });
        if (adapter === 'express' && engine === 'app') {
          await checkMiddleware({ starts, place, check });
        }
        if (!values.keep) rmSync(place, { recursive: true, force: true });
      }
    }
  }
} finally {
  stopAll();
  await registry?.close();
  if (values.keep) say(`kept ${folder}`);
  else removeFolder();
}
printResults();

/** Again where a program that was just stopped has still written. */
function removeFolder() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Runs one check and remembers how it went; what fails does not end the others. */
async function check(name, action) {
  const begun = performance.now();
  let failure;
  let note;
  try {
    note = await action();
  } catch (error) {
    failure = error;
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  results.push({ name, failure, note, seconds });
  say(`${failure ? 'FAILED' : 'ok'} ${name}${note ? `: ${note}` : ''} (${seconds} s)`);
  if (failure) console.log(failure.stack ?? failure);
  return failure === undefined;
}

function printResults() {
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log('');
  for (const { name, failure, note = '', seconds } of results) {
    const outcome = failure ? 'FAILED' : 'ok    ';
    console.log(`${outcome} ${name.padEnd(width)} ${seconds.padStart(6)} s  ${note}`);
  }
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  console.log(`\n${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function say(what) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  console.log(`[${seconds} s] ${what}`);
}

function choose(option, given, allowed) {
  const chosen = given?.split(',') ?? allowed;
  const unknown = chosen.filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return chosen;
  console.error(`${option} is "${given}": allowed are ${allowed.join(', ')}`);
  process.exit(1);
}
