/**
 * The public tests of HTTP caches (https://cache-tests.fyi) against ng-ssr, beside the results that their checkout has of
 * other caches. The suite is not on npm in its present state, so it is given:
 *
 *   git clone https://github.com/http-tests/cache-tests && npm install --prefix cache-tests
 *   npm run cache-tests -w bench -- --suite <absolute path of cache-tests>
 *
 * Writes bench/entries/cache-tests/ng-ssr.json in the format of its folder `results`, and ends with 1 if ng-ssr fails
 * a test for which reasons.ts has no reason.
 */
import { execFile, type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { reasonFor } from './reasons.ts';
import { type CacheTest, type Results, Suite, type Verdict } from './suite.ts';
import { tally, toTable } from './tally.ts';

const { values } = parseArgs({ options: { suite: { type: 'string' } } });
const folder = values.suite ?? '';
if (!existsSync(join(folder, 'test-engine/cli.mjs'))) {
  throw new Error(
    `--suite is ${JSON.stringify(values.suite)}; allowed: the absolute path of a checkout of ` +
      'https://github.com/http-tests/cache-tests in which "npm install" has run',
  );
}
const NOT_PASSED: readonly Verdict[] = ['fail', 'optional_fail', 'setup_fail', 'harness_fail'];

const suite = await Suite.load(folder);
const results = await runSuite();
const entry = join(import.meta.dirname, '../../entries/cache-tests');
mkdirSync(entry, { recursive: true });
writeFileSync(join(entry, 'ng-ssr.json'), `${JSON.stringify(results, null, 2)}\n`);

const tallies = [...suite.others()].map(([cache, of]) => tally(suite, cache, of));
console.log(
  `${suite.tests.length} tests\n\n${toTable([...tallies, tally(suite, 'ng-ssr', results)])}\n`,
);
const missed = suite.tests.filter((test) => NOT_PASSED.includes(suite.verdict(test, results)));
for (const test of missed) console.log(describe(test));
const unexplained = missed.filter(({ id }) => reasonFor(id) === undefined);
if (unexplained.length > 0) process.exitCode = 1;

/** Starts the origin and ng-ssr in front of it, and runs the suite's own client. */
async function runSuite(): Promise<Results> {
  const [originPort, cachePort] = [await freePort(), await freePort()];
  const children = [
    await startChild(['test-engine/server/server.mjs'], folder, {
      npm_config_protocol: 'http',
      npm_config_port: String(originPort),
      npm_config_pidfile: join(tmpdir(), `cache-tests-${process.pid}.pid`),
    }),
    await startChild(
      [join(import.meta.dirname, 'cache.ts'), `http://localhost:${originPort}`, String(cachePort)],
      import.meta.dirname,
    ),
  ];
  try {
    process.stderr.write(`Runs ${suite.tests.length} tests: about a minute\n`);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', 'test-engine/cli.mjs'],
      {
        cwd: folder,
        env: {
          ...process.env,
          npm_config_base: `http://127.0.0.1:${cachePort}`,
          npm_config_id: '',
          npm_package_config_id: '',
        },
        timeout: 600_000,
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    return JSON.parse(stdout) as Results;
  } finally {
    for (const child of children) child.kill();
  }
}

/** Resolves when it listens. */
async function startChild(
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, command, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const lines = createInterface({ input: child.stdout });
  const listens = new Promise<void>((resolve) => {
    lines.on('line', (line) => line.includes('Listening on ') && resolve());
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${command.join(' ')} ended before it listened`);
  });
  await Promise.race([listens, ended]);
  ended.catch(() => undefined);
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function describe(test: CacheTest): string {
  const result = results[test.id];
  const said = result === true || result === undefined ? '' : result[1];
  const reason = reasonFor(test.id) ?? 'NO REASON IS KNOWN';
  return `${test.kind ?? 'required'} ${test.id}: ${said}\n    ${reason}`;
}
