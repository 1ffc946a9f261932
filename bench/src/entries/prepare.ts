/**
 * Puts our entry for a public benchmark into a checkout of it, registers and builds it with the packages of this
 * workspace, and says how the benchmark is run:
 *
 *   npm run entries -w bench -- --harness ssr-benchmark --checkout <absolute path>
 *
 * bench/entries/README.md says what each of them measures.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HARNESSES, type Registration } from './harnesses.ts';

const root = join(import.meta.dirname, '../../..');
const { values } = parseArgs({
  options: { harness: { type: 'string' }, checkout: { type: 'string' } },
});
const name = values.harness ?? '';
const harness = HARNESSES[name];
if (harness === undefined) {
  const allowed = Object.keys(HARNESSES).join(', ');
  throw new Error(`--harness is ${JSON.stringify(values.harness)}; allowed: ${allowed}`);
}
const checkout = values.checkout ?? '';
if (!existsSync(join(checkout, harness.mark))) {
  const given = JSON.stringify(values.checkout);
  throw new Error(`--checkout is ${given}; allowed: the absolute path of a checkout of ${name}`);
}

cpSync(join(root, 'bench/entries', name, 'files'), checkout, { recursive: true });
for (const registration of harness.registrations) register(registration);
const app = join(checkout, harness.app);
linkPackages(join(app, 'node_modules'));
execFileSync(process.execPath, [join(root, 'node_modules/@angular/cli/bin/ng.js'), 'build'], {
  cwd: app,
  stdio: 'inherit',
});
console.log(`\n${name} has the entry ${harness.app}. Run it in ${checkout}:\n`);
for (const command of harness.commands) console.log(`  ${command}`);

function register({ file, before, insert }: Registration): void {
  const path = join(checkout, file);
  const text = readFileSync(path, 'utf8');
  if (text.includes(insert)) return;
  if (text.split(before).length !== 2) {
    throw new Error(`${path} has changed: it must have once ${JSON.stringify(before)}`);
  }
  writeFileSync(
    path,
    text.replace(before, () => insert + before),
  );
}

/** The packages of this workspace, until they are on npm; beside them those of the checkout. */
function linkPackages(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const own = join(root, 'node_modules');
  for (const entry of readdirSync(own)) {
    if (!existsSync(join(folder, entry))) symlinkSync(join(own, entry), join(folder, entry));
  }
  for (const module of ['testdata']) {
    const path = join(checkout, 'modules', module);
    if (existsSync(path) && !existsSync(join(folder, module)))
      symlinkSync(path, join(folder, module));
  }
}
