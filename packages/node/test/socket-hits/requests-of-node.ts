import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/**
 * Counts the requests that node:http's servers of this process read while a function runs: those answered on the socket
 * are not among them.
 */
export async function requestsOfNode(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    count += list.getEntriesByName('HttpRequest').length;
  });
  observer.observe({ entryTypes: ['http'] });
  await run();
  // Entries come in a later turn of the event loop.
  await setImmediate();
  await setImmediate();
  count += observer.takeRecords().filter(({ name }) => name === 'HttpRequest').length;
  observer.disconnect();
  return count;
}
