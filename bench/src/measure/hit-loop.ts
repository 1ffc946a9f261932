/** A program: hits at a fixed rate, whatever they take. It begins when its parent says so. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fetchOnce } from './fetch-once.ts';
import type { HitLoop } from './paced-load.ts';

const WARM_HITS = 500;
const { url, perSecond, seconds } = JSON.parse(process.argv[2]!) as HitLoop;
const agent = new Agent({ keepAlive: true });
// This program is to be warm, too.
for (let i = 0; i < WARM_HITS; i++) await fetchOnce(agent, url);
process.send!('ready');
await once(process, 'message');

const start = performance.now();
const milliseconds: number[] = [];
const under: Promise<void>[] = [];
for (let due = start; due < start + seconds * 1000; due += 1000 / perSecond) {
  const waitMs = due - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  // Timers fire up to a millisecond early.
  const dueAt = Math.min(due, performance.now());
  const hit = fetchOnce(agent, url);
  under.push(hit.then(() => void milliseconds.push(performance.now() - dueAt)));
}
await Promise.all(under);
agent.destroy();
process.send!(milliseconds, () => process.disconnect());
