/** Watches a heap with much garbage, then one with as much that is in use; says after what it is called full. */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { watchHeap } from '../../../src/features/render-threads/heap-watch.ts';

const MB = 1024 * 1024;
const collect = globalThis.gc!;
// An observer keeps no process alive.
setInterval(() => undefined, 1000);
let times = 0;
watchHeap(getHeapStatistics().used_heap_size + 20 * MB, () => times++);
/** Observers are called in the order of their registration. */
const seen: (() => void)[] = [];
new PerformanceObserver(() => seen.splice(0).forEach((resolve) => resolve())).observe({
  entryTypes: ['gc'],
});

async function timesAfter(type: 'minor' | 'major'): Promise<number> {
  const observed = new Promise<void>((resolve) => seen.push(resolve));
  collect({ type });
  await observed;
  return times;
}

/** Objects that two collections of young objects have moved to the old ones. */
async function fill(): Promise<unknown[]> {
  const filled: unknown[] = Array.from({ length: 40 * 1024 }, () => new Array<number>(128).fill(1));
  await timesAfter('minor');
  await timesAfter('minor');
  return filled;
}

await fill();
const garbage = await timesAfter('minor');
const collected = await timesAfter('major');
const kept = await fill();
const used = await timesAfter('major');
console.log(JSON.stringify({ garbage, collected, used, kept: kept.length }));
process.exit();
