import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { channelOf, type Channels, type SsrOptions, withServerTiming } from '@ng-ssr/core';
import { collectMetrics } from '@ng-ssr/core/prometheus';
import { traceRenders } from '@ng-ssr/core/opentelemetry';
import { html, storedServer, type StoredServer } from '../pages/stored-server.ts';

const NAMES = [
  ...['ng-ssr:request', 'ng-ssr:render:start', 'ng-ssr:render:end', 'ng-ssr:queue', 'ng-ssr:shed'],
  ...['ng-ssr:store', 'ng-ssr:purge'],
] as const satisfies readonly (keyof Channels)[];

/** Everything that is told until the test ends. */
function hear(): { name: string; message: unknown }[] {
  const heard: { name: string; message: unknown }[] = [];
  for (const name of NAMES) {
    const listener = (message: unknown): void => void heard.push({ name, message });
    channelOf(name).subscribe(listener);
    onTestFinished(() => channelOf(name).unsubscribe(listener));
  }
  return heard;
}

/** @param render - The time that its renders may take: by default more than they need on any machine. */
function shop(render: SsrOptions['render'] = {}): StoredServer {
  return storedServer(
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/boom') throw new Error('cracked');
      if (pathname === '/hang') return new Promise<never>(() => {});
      return html('page', pathname === '/p' ? { 'cache-control': 's-maxage=60' } : {});
    },
    { render },
  );
}

it('publishes requests, renders, stores, purges and fallbacks', async () => {
  const heard = hear();
  const server = shop();
  await server.get('/p');
  await server.get('/p');
  await server.get('/own');
  await server.get('/boom');
  await shop({ maxWaitMs: 20, timeoutMs: 40 }).get('/hang');
  await server.handler.cache.purge({ path: '/p' });

  const messages = (name: string): unknown[] =>
    heard.filter((one) => one.name === name).map(({ message }) => message);
  expect(messages('ng-ssr:request')).toMatchObject([
    {
      method: 'GET',
      target: '/p',
      status: 200,
      result: 'miss',
      bytes: 26,
      timeMs: expect.any(Number),
    },
    { method: 'GET', target: '/p', status: 200, result: 'hit', durationMs: 0 },
    { method: 'GET', target: '/own', status: 200, result: 'miss' },
    { method: 'GET', target: '/boom', status: 500, result: 'bypass' },
    { method: 'GET', target: '/hang', status: 503, result: 'bypass' },
  ]);
  expect(messages('ng-ssr:render:start')).toHaveLength(4);
  await expect.poll(() => messages('ng-ssr:render:end').length).toBe(4);
  expect(messages('ng-ssr:render:end')).toMatchObject([
    { name: 'GET /p', status: 200, error: undefined },
    { name: 'GET /own', status: 200 },
    { name: 'GET /boom', status: undefined, error: 'NG_SSR_RENDER_FAILED' },
    { name: 'GET /hang', error: 'NG_SSR_RENDER_TIMEOUT' },
  ]);
  expect(messages('ng-ssr:store')).toMatchObject([
    { path: '/p', reason: undefined, freshSeconds: 60 },
    { path: '/own', reason: 'no-freshness', freshSeconds: undefined },
  ]);
  expect(messages('ng-ssr:shed')).toMatchObject([
    { target: '/hang', fallback: 'unavailable', error: 'NG_SSR_DEADLINE_PASSED' },
  ]);
  expect(messages('ng-ssr:purge')).toMatchObject([{ path: '/p', isRemote: false }]);
  expect(messages('ng-ssr:queue').at(-1)).toEqual({ queued: 0, running: 0 });
});

it('counts in metrics of prom-client', async () => {
  const registry = new Registry();
  const end = collectMetrics(registry);
  const server = shop();
  await server.get('/p');
  await server.get('/p');
  await server.get('/boom');
  end();
  await server.get('/p');
  const text = await registry.metrics();
  expect(text).toContain('ng_ssr_requests_total{result="miss",status="200"} 1');
  expect(text).toContain('ng_ssr_requests_total{result="hit",status="200"} 1');
  expect(text).toContain('ng_ssr_render_duration_seconds_count{outcome="200"} 1');
  expect(text).toContain('ng_ssr_render_duration_seconds_count{outcome="NG_SSR_RENDER_FAILED"} 1');
  expect(text).toContain('ng_ssr_stores_total{outcome="stored"} 1');
  expect(text).toContain('ng_ssr_renders_running 0');
});

it('counts the render threads that are ready', async () => {
  const registry = new Registry();
  const end = collectMetrics(registry);
  onTestFinished(end);
  const channel = channelOf('ng-ssr:worker');
  const events = [
    ['start', 1],
    ['ready', 1],
    ['start', 2],
    ['grow', 2],
    ['ready', 2],
    ['start', 3],
    ['ready', 3],
    ['lost', 3],
    ['start', 4],
    ['lost', 4],
    ['shrink', 2],
  ] as const;
  for (const [event, threadId] of events) channel.publish({ event, threadId, reason: undefined });
  const text = await registry.metrics();
  expect(text).toContain('ng_ssr_workers 2');
  expect(text).toContain('ng_ssr_worker_events_total{event="grow"} 1');
  channel.publish({ event: 'end', threadId: 2, reason: undefined });
  expect(await registry.metrics()).toContain('ng_ssr_workers 1');
});

it('makes a span of each render, as a child of the request that caused it', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  onTestFinished(() => context.disable());
  const tracer = provider.getTracer('test');
  onTestFinished(traceRenders(tracer));
  const server = storedServer(
    async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (request.url.endsWith('/boom')) throw new Error('cracked');
      return html('page', {});
    },
    { render: { concurrency: 1 } },
  );
  const ask = (target: string): Promise<string> =>
    tracer.startActiveSpan(`request ${target}`, async (span) => {
      await server.get(target);
      span.end();
      return span.spanContext().spanId;
    });
  const [a, b] = await Promise.all([ask('/a'), ask('/boom')]);

  const spans = exporter.getFinishedSpans();
  const spanOf = (name: string) => spans.find((span) => span.name === name);
  expect(spanOf('render GET /a')?.parentSpanContext?.spanId).toBe(a);
  expect(spanOf('render GET /a')?.attributes).toMatchObject({ 'http.response.status_code': 200 });
  // It waited for the other's end, and is its own request's all the same.
  expect(spanOf('render GET /boom')?.parentSpanContext?.spanId).toBe(b);
  expect(spanOf('render GET /boom')?.status.code).toBe(SpanStatusCode.ERROR);
  expect(trace.getActiveSpan()).toBeUndefined();
});

it('sends how long an answer has waited if configured', async () => {
  const server = storedServer(() => html('page', { 'cache-control': 's-maxage=60' }), {
    features: [withServerTiming()],
  });
  expect((await server.get('/p')).header('server-timing')).toMatch(/^ng-ssr;dur=\d+\.\d$/);
  expect((await server.get('/p')).header('server-timing')).toBeUndefined();
});
