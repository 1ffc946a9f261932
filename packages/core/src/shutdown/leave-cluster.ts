import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A primary process that is not stuck answers within milliseconds. */
const TIMEOUT_MS = 2000;

/**
 * Disconnects a worker of node:cluster from its primary process, which accepts connections and hands them on. Those that were
 * handed on while the worker closed its server go back to the primary, for another worker; if the worker just ended,
 * the primary would keep them open without an answer.
 *
 * @see https://nodejs.org/api/cluster.html#workerdisconnect
 */
export async function leaveCluster(): Promise<void> {
  if (process.connected !== true) return;
  const { default: cluster } = await import('node:cluster');
  const { worker } = cluster;
  if (worker?.isConnected() !== true) return;
  const timer = new AbortController();
  const timeout = delay(TIMEOUT_MS, undefined, timer).catch(() => undefined);
  const left = once(process, 'disconnect');
  worker.disconnect();
  await Promise.race([left, timeout]);
  timer.abort();
}
