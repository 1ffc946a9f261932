/**
 * A thread that asks at a rate, however long the answers take: an open loop. It says `ready`, begins
 * when it is told to, and then reports.
 */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type Answered, ask, type Asked } from './ask.ts';

/** What a thread of load is started with. */
export interface LoadOptions {
  readonly origin: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Asked for in turn. */
  readonly asked: readonly Asked[];
  /** Opened before the first request and kept, as by a proxy; 0: each request opens its own. */
  readonly connections: number;
}

/** What it reports every 100 ms, and at its end. */
export interface LoadReport {
  readonly answered: readonly Answered[];
  /** Requests sent so far. */
  readonly sent: number;
  /** Whether the last request is answered. */
  readonly isOver: boolean;
}

const REPORT_EVERY_MS = 100;

const { origin, perSecond, seconds, asked, connections } = workerData as LoadOptions;
// First in, first out: no connection is idle until the server closes it.
const agent = new Agent(
  connections === 0
    ? { keepAlive: false }
    : {
        keepAlive: true,
        scheduling: 'fifo',
        maxSockets: connections,
        maxFreeSockets: connections,
      },
);
await Promise.all(Array.from({ length: connections }, () => ask(origin, { path: '/' }, agent)));

const all = Math.round(perSecond * seconds);
let answered: Answered[] = [];
let sent = 0;
let ended = 0;

parentPort!.postMessage('ready');
await once(parentPort!, 'message');
const beganMs = performance.now();
const reporting = setInterval(report, REPORT_EVERY_MS);
sendDue();

function dueMs(index: number): number {
  return beganMs + (index / perSecond) * 1000;
}

function sendDue(): void {
  const nowMs = performance.now();
  while (sent < all && dueMs(sent) <= nowMs) {
    void ask(origin, asked[sent % asked.length]!, agent, dueMs(sent)).then(take);
    sent++;
  }
  if (sent < all) setTimeout(sendDue, Math.max(1, dueMs(sent) - performance.now()));
}

function take(answer: Answered): void {
  answered.push(answer);
  if (++ended < all) return;
  clearInterval(reporting);
  agent.destroy();
  report();
  parentPort!.close();
}

function report(): void {
  parentPort!.postMessage({ answered, sent, isOver: ended === all } satisfies LoadReport);
  answered = [];
}
