import type { Counter, Histogram, Metric, MetricObjectWithValues, MetricValue } from 'prom-client';
import { serverThread } from '../server-thread.ts';
import { channelOf, type RequestEvent, type SlotEvent } from './channels.ts';
import {
  type Collection,
  collections,
  gatherCounts,
  readCollection,
  type RequestCount,
} from './thread-metrics.ts';

type Values = MetricObjectWithValues<MetricValue<string>>;
type ReadableMetric = Metric<string> & {
  get(): Promise<Values>;
  /** Histograms have it, in place of `get`. */
  getForPromString?: () => Promise<Values>;
};

/** Metrics of what server threads do. */
interface ThreadMetrics {
  readonly requests: Counter<'result' | 'status'>;
  readonly slots: Histogram<'slot' | 'outcome'>;
}

/** Slots that a thread keeps until the next scrape. */
const MOST_SLOTS = 10_000;

/**
 * Makes metrics show the values of all threads of the process: on the main thread they include the requests of server
 * threads, and in a server thread they are read from the main thread.
 *
 * @returns a function that stops the collection.
 */
export function shareMetrics(
  metrics: readonly Metric<string>[],
  ofThreads: ThreadMetrics,
): () => void {
  const readable = metrics as readonly ReadableMetric[];
  return serverThread === undefined
    ? shareOwn(readable, ofThreads)
    : readOthers(readable, collections.length);
}

function shareOwn(
  metrics: readonly ReadableMetric[],
  { requests, slots }: ThreadMetrics,
): () => void {
  const get = requests.get.bind(requests);
  Object.assign(requests, {
    async get() {
      await gatherCounts();
      return get();
    },
  });
  const collection: Collection = {
    async read() {
      return Promise.all(metrics.map((metric) => metric.get()));
    },
    add(counts) {
      for (const each of counts) {
        if ('slot' in each) {
          const { slot, result, durationMs } = each;
          slots.observe({ slot, outcome: result }, durationMs / 1000);
        } else requests.inc({ result: each.result, status: each.status }, each.count);
      }
    },
    takeCounts: () => [],
  };
  collections.push(collection);
  return () => undefined;
}

function readOthers(metrics: readonly ReadableMetric[], number: number): () => void {
  let counts = new Map<string, RequestCount>();
  let filled: SlotEvent[] = [];
  let inFlight: Promise<unknown> | undefined;
  const read = async (at: number): Promise<Values | undefined> => {
    // One scrape reads all metrics at the same time.
    inFlight ??= readCollection(number).finally(() => (inFlight = undefined));
    return ((await inFlight) as readonly Values[])[at];
  };
  metrics.forEach((metric, at) => {
    const own = metric.get.bind(metric);
    // The main thread's program may collect none.
    const get = async (): Promise<Values> => (await read(at)) ?? own();
    Object.assign(metric, { get, ...(metric.getForPromString && { getForPromString: get }) });
  });
  collections.push({
    read: () => Promise.resolve([]),
    add: () => undefined,
    takeCounts() {
      const taken = [...counts.values(), ...filled];
      counts = new Map();
      filled = [];
      return taken;
    },
  });
  const channel = channelOf('ng-ssr:request');
  const onRequest = ({ result, status }: RequestEvent): void => {
    const key = `${result} ${status}`;
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { result, status, count });
  };
  channel.subscribe(onRequest);
  const ofSlots = channelOf('ng-ssr:slot');
  const onSlot = (event: SlotEvent): void => {
    if (filled.length < MOST_SLOTS) filled.push(event);
  };
  ofSlots.subscribe(onSlot);
  return () => {
    channel.unsubscribe(onRequest);
    ofSlots.unsubscribe(onSlot);
  };
}
