/**
 * Asks the built example for many more pages than it can render, and shows who answers:
 *
 *   npm run demo:overload [-- --seconds 20 --factor 10 --workers 2 --new-connections]
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Asked } from './ask.ts';
import { Example } from './example.ts';
import { formatBytes, formatCount, formatMs } from './format.ts';
import { Load } from './load.ts';
import { readOptions } from './options.ts';
import { endLive, paint, showFact, showLive, showTable, toLine } from './screen.ts';
import { Tally } from './tally.ts';

/** Small enough to be seen at work within seconds. */
const AT_A_TIME = 4;
const MAX_QUEUED = 32;
const DEADLINE_MS = 1000;
const TIMEOUT_MS = 5000;

const HITS_PER_SECOND = 300;
const POPULAR_PER_SECOND = 50;
/** Of each load. */
const CONNECTIONS = 256;

const ROUND_MS = 2000;
/** A runtime's compilers take some rounds to know the application. */
const MOST_ROUNDS = 10;
/** A round that is no better than this is the last. */
const GROWTH = 1.05;

/** Hits take a few milliseconds where nothing else goes on. */
const BUSY_MS = 50;

const MOST_RECOVERY_MS = 10_000;
/** How often in a row a page must come as usual, and what is usual still. */
const RENDERS_IN_A_ROW = 3;
const AS_USUAL = 2;
/** What an answer may take beside its deadline: the load is on the same machine. */
const TOLERANCE_MS = 1000;

/** Built pages: nothing is to be done for them. */
const BUILT: readonly Asked[] = ['/', '/about', '/catalog', '/guide'].map((path) => ({ path }));
/** Stored for ten seconds, and stale for a minute after that. */
const POPULAR: readonly Asked[] = Array.from({ length: 24 }, (_, i) => ({
  path: `/products/${i + 1}`,
}));
/** For one reader each, so they must not be stored. */
const COLD: readonly Asked[] = Array.from({ length: 97 }, (_, i) => ({
  path: '/account',
  headers: { cookie: `user=Visitor ${i}` },
}));

const { adapter, engine, seconds, factor, workers, opensConnections } = readOptions();
const agent = new Agent({ keepAlive: true });
const concurrency = AT_A_TIME * Math.max(1, workers);
const example = await Example.start(adapter, engine, {
  // Pages of one reader are the load, not what follows them.
  SLOTS: 'off',
  RENDER_THREADS: String(workers),
  RENDER_CONCURRENCY: String(concurrency),
  RENDER_MAX_QUEUED: String(MAX_QUEUED),
  RENDER_MAX_WAIT_MS: String(DEADLINE_MS),
  RENDER_TIMEOUT_MS: String(TIMEOUT_MS),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void example.stop().then(() => process.exit(1)));
}
try {
  process.exitCode = (await show()) ? 0 : 1;
} finally {
  agent.destroy();
  await example.stop();
}

async function show(): Promise<boolean> {
  console.log(`\n  ${paint('bold', 'ng-ssr under overload')}\n`);
  const threads = workers === 1 ? 'a worker thread' : `${workers} worker threads`;
  const where = workers === 0 ? 'on the main thread' : `on ${threads}`;
  showFact('server', `${adapter} adapter, ${engine} engine, renders ${where}`);
  showFact(
    'limits',
    `${concurrency} concurrent renders, ${MAX_QUEUED} queued, a deadline of ${formatCount(DEADLINE_MS)} ms`,
  );
  if (process.env['SHOP_INSPECTOR_TOKEN']) showFact('inspector', example.origin);

  const capacity = await findCapacity();
  const usualMs = (await renderInTurn(ROUND_MS, 'a page at rest', 1)).quantile(0.5);
  const quiet = await measureHitsAtRest();
  for (const asked of POPULAR) await ask(example.origin, asked, agent);
  showLive('  opening connections ...');
  const cold = await prepare(COLD, capacity * factor);
  const loads = [
    cold,
    await prepare(POPULAR, POPULAR_PER_SECOND),
    await prepare(BUILT, HITS_PER_SECOND),
  ];
  const restBytes = example.peakBytes;
  endLive();
  showFact(
    'capacity',
    `${formatCount(capacity)} renders/s, a page in ${formatMs(usualMs)} at rest`,
  );
  showFact('load', `for ${seconds} s, on ${opensConnections ? 'new' : 'kept'} connections`);
  showFact('', `${formatCount(capacity * factor)} pages/s to render, ${factor} times the capacity`);
  showFact('', `${POPULAR_PER_SECOND} stored pages/s, ${HITS_PER_SECOND} built pages/s`);
  console.log();

  const tally = new Tally();
  const beganMs = performance.now();
  const progress = setInterval(
    () => showLive(toLine((performance.now() - beganMs) / 1000, tally)),
    200,
  );
  const answering = Promise.all(loads.map((load) => load.run(tally)));
  await sleep(seconds * 1000);
  const reached = cold.sent / seconds / capacity;
  const recoveryMs = await recover(usualMs);
  await answering;
  clearInterval(progress);
  endLive();

  showTable(tally);
  console.log();
  showFact('load', `${reached.toFixed(1)} times the capacity was reached`);
  const atRestMs = quiet.quantile(0.99);
  const atRest = formatMs(atRestMs);
  showFact('hits', `p99 ${formatMs(tally.quantile(0.99, 'hit'))}, at rest ${atRest}`);
  if (atRestMs > BUSY_MS)
    showFact('', 'other programs use this machine: the times are not reliable');
  const recovery = formatMs(recoveryMs ?? MOST_RECOVERY_MS);
  const isAsUsual = recoveryMs === undefined ? 'without pages being' : 'until pages were';
  showFact('recovery', `${recovery} ${isAsUsual} rendered as fast as before`);
  const { peakBytes } = example;
  if (peakBytes !== undefined && restBytes !== undefined) {
    showFact('peak RSS', `${formatBytes(peakBytes)}, ${formatBytes(restBytes)} before`);
  }
  for (const [code, count] of example.reported) showFact('reported', `${code}, ${count} x`);
  for (const [problem, count] of tally.problems) showFact('error', `${problem}, ${count} x`);

  const faults = findFaults(tally, recoveryMs);
  const verdict =
    faults.length === 0
      ? paint(['bold', 'green'], 'Passed: every request was answered in time, and nothing failed.')
      : paint(['bold', 'red'], `Failed: ${faults.join('; ')}.`);
  console.log(`\n  ${verdict}\n`);
  return faults.length === 0;
}

function findFaults(tally: Tally, recoveryMs: number | undefined): string[] {
  const faults: string[] = [];
  const errors = tally.count('error');
  const slowestMs = tally.quantile(1);
  if (!example.isAlive) faults.push('the server has ended');
  if (errors > 0) faults.push(`${formatCount(errors)} errors`);
  if (tally.count('hit') < HITS_PER_SECOND * seconds)
    faults.push('not every built page was answered from memory');
  if (slowestMs > DEADLINE_MS + TOLERANCE_MS) faults.push(`an answer took ${formatMs(slowestMs)}`);
  if (recoveryMs === undefined) faults.push('render times did not return to normal');
  return faults;
}

function prepare(asked: readonly Asked[], perSecond: number, during = seconds): Promise<Load> {
  const connections = opensConnections ? 0 : CONNECTIONS;
  return Load.prepare({ origin: example.origin, asked, perSecond, seconds: during, connections });
}

async function measureHitsAtRest(): Promise<Tally> {
  showLive('  hits at rest ...');
  const tally = new Tally();
  await (await prepare(BUILT, HITS_PER_SECOND, ROUND_MS / 1000)).run(tally);
  return tally;
}

/** Renders per second, once they do not become more. */
async function findCapacity(): Promise<number> {
  let best = 0;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const tally = await renderInTurn(ROUND_MS, `warming up: ${formatCount(best)} renders/s`);
    const perSecond = tally.count('rendered') / (ROUND_MS / 1000);
    if (round > 2 && perSecond < best * GROWTH) return Math.max(best, perSecond);
    best = Math.max(best, perSecond);
  }
  return best;
}

/** Asks for pages that must be rendered, `atATime` of them at a time: a closed loop. */
async function renderInTurn(ms: number, title: string, atATime = concurrency): Promise<Tally> {
  showLive(`  ${title} ...`);
  const tally = new Tally();
  const endMs = performance.now() + ms;
  let turn = 0;
  const askOn = async (): Promise<void> => {
    while (performance.now() < endMs) {
      tally.add(await ask(example.origin, COLD[turn++ % COLD.length]!, agent));
    }
  };
  await Promise.all(Array.from({ length: atATime }, askOn));
  return tally;
}

/**
 * Waits until pages are rendered as usual again.
 *
 * @returns how long that was, in milliseconds; undefined when they are not.
 */
async function recover(usualMs: number): Promise<number | undefined> {
  const beganMs = performance.now();
  let recoveredMs = 0;
  let inARow = 0;
  while (performance.now() - beganMs < MOST_RECOVERY_MS) {
    const askedMs = performance.now();
    const { fallback, ms } = await ask(example.origin, COLD[0]!, agent);
    inARow = fallback === 'rendered' && ms <= usualMs * AS_USUAL ? inARow + 1 : 0;
    if (inARow === 1) recoveredMs = askedMs - beganMs;
    if (inARow === RENDERS_IN_A_ROW) return recoveredMs;
  }
  return undefined;
}
