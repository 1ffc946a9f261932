import autocannon from 'autocannon';
import { readProcessCost } from './process-cost.ts';

/** One kind of request, and the answer that counts. */
export interface Work {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/** What a server did under one kind of work. */
export interface Cost {
  /** Server CPU time per request, user and system, in microseconds. */
  readonly microseconds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Loads a server for some seconds and tells what each request cost it.
 *
 * @throws Error when any answer has another status than the work says.
 */
export async function measureCost(
  server: { readonly origin: string; readonly pid: number },
  work: Work,
  { connections = 20, seconds = 1.5 } = {},
): Promise<Cost> {
  const before = readProcessCost(server.pid);
  const result = await autocannon({
    url: server.origin + work.path,
    connections,
    duration: seconds,
    headers: { accept: 'text/html', 'user-agent': 'bench', ...work.headers },
  });
  const after = readProcessCost(server.pid);
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (result.errors > 0 || statuses.some((status) => Number(status) !== work.status)) {
    throw new Error(
      `GET ${work.path}: statuses ${statuses.join(', ')}, ${result.errors} errors; ` +
        `only ${work.status} counts`,
    );
  }
  if (result.requests.total === 0) throw new Error(`GET ${work.path}: no answer in time`);
  return {
    microseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
