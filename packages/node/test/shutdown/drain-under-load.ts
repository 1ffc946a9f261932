import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@ng-ssr/conformance/fuzz';
import { QUIET_MS } from '../../../core/src/shutdown/connections.ts';
import { LARGE_BYTES } from './built-folder.ts';
import type { ChildSettings } from './child.ts';
import { ask, type Lost, startLoad } from './load.ts';
import { head, SpecialClient } from './special-clients.ts';
import { type Exit, startChild } from './start-child.ts';

/** What happened when a server under load got a SIGTERM. */
export interface DrainResult {
  readonly exit: Exit;
  /** From the signal to the end of the process. */
  readonly exitMs: number;
  readonly answered: number;
  readonly answeredLate: number;
  readonly others: ReadonlyMap<number, number>;
  /** Requests on connections that the server had accepted; elsewhere than on Node, those that it had read. */
  readonly lost: readonly Lost[];
  /** Requests that were the kernel's when the server stopped listening. */
  readonly unaccepted: number;
  /** What the `ready` and the `live` probe said behind the signal, while connections were taken. */
  readonly probes: ReadonlySet<string>;
  /** What went wrong with the special clients. */
  readonly problems: readonly string[];
}

/** Starts a server, loads it, sends SIGTERM at some time, and looks at what becomes of each request. */
export async function drainUnderLoad(
  program: URL,
  settings: ChildSettings,
  random: Random,
  command?: readonly [string, ...string[]],
): Promise<DrainResult> {
  const child = await startChild(program, settings, command);
  const { port } = child;
  const load = startLoad(port, random);
  const slowReader = await SpecialClient.open(port);
  await slowReader.ask('/large.bin');
  slowReader.pause();
  const slowSenders = [await SpecialClient.open(port), await SpecialClient.open(port)];
  await slowSenders[1]!.ask('/about');
  const idle = [await SpecialClient.open(port), await SpecialClient.open(port)];
  await idle[1]!.ask('/about');
  await delay(200 + random.below(200));

  const request = head('/about?late');
  for (const client of slowSenders) client.send(request.slice(0, 20));
  load.markRead();
  // A server that answers on connections which came later has read what had come before. Each thread may get some.
  for (let count = 0; count < 5 * (settings.threads ?? 1); count++)
    await ask(port, false, '/about');
  const signalAtMs = performance.now();
  child.process.kill('SIGTERM');
  load.markSignal();
  const probes = new Set<string>();
  const probing = probe(port, child.exited, probes);
  const { shutdown } = settings;
  const graceMs = shutdown === false ? 0 : (shutdown?.graceMs ?? 0);
  // Longer than what counts as quiet, when connections are refused.
  await delay(graceMs + 700);
  for (const client of slowSenders) client.send(request.slice(20));
  slowReader.resume();

  const exit = await child.exited;
  await Promise.all([load.done, probing]);
  const accepted = exit.report?.accepted && new Set(exit.report.accepted);
  // Runtimes other than Node may close a kept connection while a request is on its way to it. Node's servers close those
  // that were quiet: on a busy machine a client may have been.
  const isAccepted = ({ port, isReused, isRead, idleMs = 0 }: Lost): boolean =>
    accepted === undefined
      ? isReused && isRead === true
      : accepted.has(port) && !(isReused && idleMs >= QUIET_MS);
  return {
    exit,
    exitMs: exit.atMs - signalAtMs,
    answered: load.answered,
    answeredLate: load.answeredLate,
    others: load.others,
    lost: load.lost.filter(isAccepted),
    unaccepted: load.lost.filter((lost) => !isAccepted(lost)).length,
    probes,
    problems: await findProblems(slowReader, slowSenders, idle, accepted !== undefined),
  };
}

async function probe(port: number, exited: Promise<unknown>, probes: Set<string>): Promise<void> {
  let isOver = false;
  void exited.then(() => (isOver = true));
  while (!isOver) {
    for (const path of ['/readyz', '/livez']) {
      const outcome = await ask(port, false, path);
      if (outcome === 'refused') return;
      if (typeof outcome === 'number') probes.add(`${path} ${outcome}`);
    }
    await delay(20);
  }
}

async function findProblems(
  slowReader: SpecialClient,
  slowSenders: readonly SpecialClient[],
  idle: readonly SpecialClient[],
  isNode: boolean,
): Promise<string[]> {
  const problems: string[] = [];
  const { bytes, error } = await slowReader.ended;
  if (bytes < LARGE_BYTES) problems.push(`a slow reader got ${bytes} bytes (${error})`);
  for (const [i, client] of slowSenders.entries()) {
    const { text, error } = await client.ended;
    const answers = text.split('HTTP/1.1 200').length - 1;
    if (answers !== i + 1) problems.push(`a slow sender got ${answers} of ${i + 1} (${error})`);
  }
  for (const [i, client] of idle.entries()) {
    // Bun leaves connections without a request to the kernel, which says nothing, or resets them when the process ends.
    client.destroy();
    const { error } = await client.ended;
    if (i === 0 && !isNode) continue;
    const which = i === 0 ? 'unused' : 'idle';
    if (error !== undefined) problems.push(`an ${which} connection ended with ${error}`);
  }
  return problems;
}
