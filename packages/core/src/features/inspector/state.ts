import { getHeapStatistics } from 'node:v8';
import { allowedMemory } from '../../allowed-memory.ts';
import type { Pages } from '../../pages/pages.ts';
import { VERSION } from '../../version.ts';
import { cpuMs } from './observation/cpu-time.ts';
import type { Gauges } from './observation/history.ts';
import type { Observation } from './observation/observation.ts';
import type { InspectorState, MemoryState, SlotState, ThreadState } from './protocol.ts';

const MOST_ROUTES = 50;

/** The parts of a server that its state is read from. */
export interface InspectedServer {
  readonly buildId: string;
  readonly scheduler: { readonly queued: number; readonly running: number };
  readonly limits: { readonly concurrency: number; readonly maxQueued: number };
  readonly pages: Pick<Pages, 'inspect' | 'held' | 'purge'>;
  /** Bytes of stored calls. */
  readonly callBytes: () => number;
  readonly threads: readonly (() => readonly ThreadState[])[];
  /** Its slots, as they are set up. */
  readonly slots: () => readonly Pick<SlotState, 'name' | 'routes' | 'call'>[];
}

/** @param startedAtMs - `Date.now()` at the start. */
export function readState(
  server: InspectedServer,
  observation: Observation,
  startedAtMs: number,
): InspectorState {
  const { buildId, scheduler, limits, pages } = server;
  const timeMs = Date.now();
  const { count, bytes, maxBytes } = pages.inspect({ limit: 0 });
  const { ended, failed, pageErrors, requests, shed } = observation;
  return {
    timeMs,
    startedAtMs,
    pid: process.pid,
    buildId,
    versions: { ngSsr: VERSION, node: process.version },
    requests,
    renders: {
      inFlight: observation.inFlight(),
      queued: scheduler.queued,
      concurrency: limits.concurrency,
      maxQueued: limits.maxQueued,
      ended,
      failed,
      pageErrors,
    },
    shed,
    pages: { count, bytes, maxBytes },
    calls: observation.calls(server.callBytes()),
    memory: readMemory(),
    threads: server.threads.flatMap((report) => report()),
    routes: observation.routes(MOST_ROUTES),
    slots: observation.slots(server.slots()),
    notices: observation.notices,
    history: observation.history(timeMs),
  };
}

/** What is measured each second. */
export function readGauges({ scheduler }: Pick<InspectedServer, 'scheduler'>): Gauges {
  const { queued, running } = scheduler;
  return { queued, running, rssBytes: process.memoryUsage.rss(), cpuMs: cpuMs() };
}

function readMemory(): MemoryState {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    rssBytes: rss,
    heapUsedBytes: heapUsed,
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    limitBytes: allowedMemory(),
  };
}
