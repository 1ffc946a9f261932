/**
 * Rendering many pages ahead: `npm run filling -w @ng-ssr/bench [-- --pages 1000] [--page small] [--rounds 3]`. The same
 * pages of the same application, by `ng build` as prerendered pages, and by `ng-ssr render` into Redis: on the main thread
 * of the server's program, and on as many render threads as there are cores.
 *
 * The time of prerendering is that of a build with the pages, less that of a build without.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { RedisProcess } from '../../../packages/redis/test/redis-process.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    page: { type: 'string', default: 'small' },
    rounds: { type: 'string', default: '3' },
  },
});
const pages = Number(values.pages);
const rounds = Number(values.rounds);
const root = join(import.meta.dirname, '../../..');
const app = join(root, 'bench/render-app');
const output = join(root, 'tmp/bench/render/filled-app');
const NG = join(root, 'node_modules/@angular/cli/bin/ng.js');
const BIN = join(root, 'packages/cli/bin/ng-ssr.js');

interface Cost {
  readonly seconds: number;
  /** Of the command and all processes that it has started. */
  readonly cpuSeconds: number;
}

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-filling-'));
try {
  const sitemap = join(folder, 'sitemap.xml');
  const urls = Array.from(
    { length: pages },
    (_, at) => `<url><loc>http://localhost/${values.page}/${at}</loc></url>`,
  );
  writeFileSync(sitemap, `<urlset>${urls.join('\n')}</urlset>`);
  // Fills the cache of builds.
  await build(0);
  const prerendered: Cost[] = [];
  const filled: Cost[] = [];
  const onThreads: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    const whole = await build(pages);
    const without = await build(0);
    prerendered.push({
      seconds: whole.seconds - without.seconds,
      cpuSeconds: whole.cpuSeconds - without.cpuSeconds,
    });
    filled.push(await fill(sitemap, 0));
    onThreads.push(await fill(sitemap, availableParallelism()));
  }
  console.log(
    `${pages} pages /${values.page}/:id, ${availableParallelism()} cores ${cpus()[0]!.model}`,
  );
  print('ng build', prerendered);
  print('ng-ssr render', filled);
  print('  on threads', onThreads);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function build(count: number): Promise<Cost> {
  const variable = `PRERENDER_${values.page.toUpperCase()}`;
  const cost = await measure([NG, 'build', 'filled-app'], app, { [variable]: String(count) });
  const { length } = globSync(`browser/${values.page}/*/index.html`, { cwd: output });
  if (length !== count) throw new Error(`the build has ${length} pages, not ${count}`);
  return cost;
}

async function fill(sitemap: string, threads: number): Promise<Cost> {
  const redis = await RedisProcess.start({ settings: () => ['save ""', 'appendonly no'] });
  try {
    const env = {
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      RENDER_THREADS: String(threads),
    };
    const args = [BIN, 'render', output, '--sitemap', sitemap];
    return await measure(args, root, env, `${pages} pages: ${pages} rendered`);
  } finally {
    await redis.stop();
  }
}

/** @param expected - What the command prints. */
async function measure(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  expected = '',
): Promise<Cost> {
  // The shell counts the processor's time of all descendants.
  const script = 'TIMEFORMAT="%R %U %S"; { time "$@" 2>&3; } 3>&2 2>"$0"';
  const file = join(folder, 'times');
  const child = spawn('bash', ['-c', script, file, process.execPath, ...args], {
    cwd,
    env: { ...process.env, ...env, NG_CLI_ANALYTICS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  if (status !== 0 || !stdout.includes(expected)) throw new Error(`${stdout}${stderr}`);
  const [seconds, user, system] = readFileSync(file, 'utf8').trim().split(' ').map(Number);
  return { seconds: seconds!, cpuSeconds: user! + system! };
}

function print(name: string, costs: readonly Cost[]): void {
  const perSecond = median(costs.map(({ seconds }) => pages / seconds));
  const cpuMs = median(costs.map(({ cpuSeconds }) => (cpuSeconds / pages) * 1000));
  const all = costs.map(({ seconds }) => `${seconds.toFixed(1)} s`).join(', ');
  console.log(
    `${name.padEnd(14)} ${perSecond.toFixed(1).padStart(7)} pages/s ${cpuMs.toFixed(2).padStart(7)} ms of CPU per page (${all})`,
  );
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
