import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { serverThread } from '../server-thread.ts';
import { channelOf } from './channels.ts';
import { shareMetrics } from './share-metrics.ts';

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Collects prom-client metrics from ng-ssr's channels: requests by result and status, renders and their
 * times, the queue, fallbacks, stores, purges (at the edge too), calls and workers. Serve them with your other metrics:
 * `registry.metrics()`. In a process with server threads each of them shows the values of all.
 *
 * @param registry - Where the metrics are registered: prom-client's `register`, or one of yours.
 * @returns a function that stops the collection.
 * @example
 * ```ts
 * import { register } from 'prom-client';
 *
 * collectMetrics(register);
 * server.router.get('/metrics', async (ctx) => {
 *   ctx.type = register.contentType;
 *   ctx.body = await register.metrics();
 * });
 * ```
 */
export function collectMetrics(registry: Registry): () => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'ng_ssr_requests_total',
    help: 'Responses, by cache result and status.',
    labelNames: ['result', 'status'],
    registers,
  });
  const renders = new Histogram({
    name: 'ng_ssr_render_duration_seconds',
    help: 'Render times, by outcome: a status, an error code, or declined.',
    labelNames: ['outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: 'ng_ssr_render_wait_seconds',
    help: 'Time that renders waited in the queue.',
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const queued = new Gauge({
    name: 'ng_ssr_renders_queued',
    help: 'Queued renders.',
    registers,
  });
  const running = new Gauge({
    name: 'ng_ssr_renders_running',
    help: 'Renders in flight.',
    registers,
  });
  const shed = new Counter({
    name: 'ng_ssr_shed_total',
    help: 'Responses with a fallback instead of the page, by fallback and error code.',
    labelNames: ['fallback', 'error'],
    registers,
  });
  const stores = new Counter({
    name: 'ng_ssr_stores_total',
    help: 'Rendered pages, by outcome: stored, or the reason why not.',
    labelNames: ['outcome'],
    registers,
  });
  const purges = new Counter({
    name: 'ng_ssr_purges_total',
    help: 'Purges, by origin: local, or remote (another process).',
    labelNames: ['origin'],
    registers,
  });
  const edges = new Histogram({
    name: 'ng_ssr_edge_purge_duration_seconds',
    help: 'Times of purges at the edge, retries included, by edge and outcome: confirmed or failed.',
    labelNames: ['edge', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const calls = new Histogram({
    name: 'ng_ssr_call_duration_seconds',
    help: 'Times of API calls of pages, by rule, cache result and outcome: a status, an error code, or aborted.',
    labelNames: ['rule', 'result', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const callBytes = new Counter({
    name: 'ng_ssr_call_bytes_total',
    help: 'Response bytes of API calls of pages, by rule and cache result.',
    labelNames: ['rule', 'result'],
    registers,
  });
  const slots = new Histogram({
    name: 'ng_ssr_slot_duration_seconds',
    help: 'Times of fills, by slot and outcome: filled, failed, timeout, or skipped in an outage.',
    labelNames: ['slot', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const workers = new Gauge({
    name: 'ng_ssr_workers',
    help: 'Running render threads.',
    registers,
  });
  const workerEvents = new Counter({
    name: 'ng_ssr_worker_events_total',
    help: 'Events of render threads: start, ready, grow, shrink, recycle, lost, end.',
    labelNames: ['event'],
    registers,
  });
  /** By their ids. Threads that were ready before the collection began are missing. */
  const ready = new Set<number>();
  const metrics = [
    requests,
    renders,
    waits,
    queued,
    running,
    shed,
    stores,
    purges,
    edges,
    calls,
    callBytes,
    slots,
  ];
  const end = shareMetrics([...metrics, workers, workerEvents], { requests, slots });
  // Only requests are answered in server threads, with their slots.
  if (serverThread !== undefined) return end;

  const ends = [
    listen('ng-ssr:request', ({ result, status }) => requests.inc({ result, status })),
    listen('ng-ssr:render:start', ({ queuedMs }) => waits.observe(queuedMs / 1000)),
    listen('ng-ssr:render:end', ({ durationMs, status, error }) =>
      renders.observe({ outcome: error ?? status ?? 'declined' }, durationMs / 1000),
    ),
    listen('ng-ssr:queue', (event) => {
      queued.set(event.queued);
      running.set(event.running);
    }),
    listen('ng-ssr:shed', ({ fallback, error }) => shed.inc({ fallback, error })),
    listen('ng-ssr:store', ({ reason }) => stores.inc({ outcome: reason ?? 'stored' })),
    listen('ng-ssr:purge', ({ isRemote }) => purges.inc({ origin: isRemote ? 'remote' : 'local' })),
    listen('ng-ssr:edge', ({ edge, durationMs, isConfirmed }) =>
      edges.observe({ edge, outcome: isConfirmed ? 'confirmed' : 'failed' }, durationMs / 1000),
    ),
    listen('ng-ssr:call', ({ rule, result, status, error, durationMs, bytes }) => {
      calls.observe({ rule, result, outcome: error ?? status ?? 'aborted' }, durationMs / 1000);
      callBytes.inc({ rule, result }, bytes);
    }),
    listen('ng-ssr:slot', ({ slot, result, durationMs }) =>
      slots.observe({ slot, outcome: result }, durationMs / 1000),
    ),
    listen('ng-ssr:worker', ({ event, threadId }) => {
      workerEvents.inc({ event });
      if (event === 'ready') ready.add(threadId);
      if (event === 'lost' || event === 'end') ready.delete(threadId);
      workers.set(ready.size);
    }),
  ];
  return () => [...ends, end].forEach((end) => end());
}

function listen<Name extends Parameters<typeof channelOf>[0]>(
  name: Name,
  listener: Parameters<ReturnType<typeof channelOf<Name>>['subscribe']>[0],
): () => void {
  const channel = channelOf(name);
  channel.subscribe(listener);
  return () => channel.unsubscribe(listener);
}
