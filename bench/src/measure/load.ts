import { cpuBetween, readCpu } from './cpu-time.ts';
import { withDefaults } from './request.ts';
import { runWrk } from './wrk.ts';

/** One kind of request, and the answer that counts. */
export interface Work {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the right answer, head and body: an answer of another status or encoding has another size. */
  readonly wireBytes: number;
}

/** How a load is made. */
export interface LoadOptions {
  readonly connections?: number;
  readonly seconds?: number;
  /** Threads of the generator. */
  readonly threads?: number;
  /** What to put before the generator's command. */
  readonly prefix?: readonly string[];
}

/** What a server did under one kind of work. */
export interface Cost {
  /** Server CPU time per request, user and system, in microseconds. */
  readonly microseconds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many cores the server kept busy. */
  readonly serverCores: number;
  /** How many the generator did. */
  readonly generatorCores: number;
}

/** Head headers such as Age and Content-Length differ by a few bytes; so does a page that prints the time. */
const TOLERANCE = 0.02;

/**
 * Loads a server for some seconds and measures what each request cost it.
 *
 * @throws Error when wrk saw an error, or answers of another size than the right one.
 */
export async function measureCost(
  server: { readonly origin: string; readonly pid: number },
  work: Work,
  { connections = 20, seconds = 1.5, threads = 1, prefix = [] }: LoadOptions = {},
): Promise<Cost> {
  const url = server.origin + work.path;
  const before = readCpu(server.pid);
  const load = { url, headers: withDefaults(work.headers), seconds, connections, threads, prefix };
  const count = await runWrk(load);
  const cpuUs = cpuBetween(before, readCpu(server.pid));
  checkSize(count, work, connections);
  const elapsedUs = count.seconds * 1e6;
  return {
    microseconds: cpuUs / count.requests,
    requestsPerSecond: count.requests / count.seconds,
    p50Ms: count.p50Ms,
    p99Ms: count.p99Ms,
    serverCores: cpuUs / elapsedUs,
    generatorCores: count.cpuUs / elapsedUs,
  };
}

/** wrk takes any status of 2xx and 3xx for good, but it counts bytes: those of unfinished answers too. */
function checkSize(
  { requests, bytes }: { readonly requests: number; readonly bytes: number },
  { path, wireBytes }: Work,
  connections: number,
): void {
  const least = requests * wireBytes * (1 - TOLERANCE);
  const most = (requests + connections) * wireBytes * (1 + TOLERANCE);
  if (bytes >= least && bytes <= most) return;
  const mean = Math.round(bytes / requests);
  throw new Error(`GET ${path}: answers of ${mean} bytes on average instead of ${wireBytes}`);
}
