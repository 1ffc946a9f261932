import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import {
  type CallEvent,
  type CallRule,
  channelOf,
  type NoticeEvent,
  withCalls,
  withServerTiming,
} from '@ng-ssr/core';
import { traceRenders } from '@ng-ssr/core/opentelemetry';
import { collectMetrics } from '@ng-ssr/core/prometheus';
import { html, storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api-server.ts';

type Render = (fetchText: (path: string) => Promise<string>) => Promise<string>;

/** A server whose pages make calls to an API. */
function shop(api: Api, render: Render, rule: CallRule = {}): StoredServer {
  const text = async (path: string): Promise<string> => (await fetch(api.origin + path)).text();
  return storedServer(async () => html(await render(text), {}), {
    features: [withCalls({ [`${api.origin}/**`]: rule }), withServerTiming()],
  });
}

function subscribe(): CallEvent[] {
  const events: CallEvent[] = [];
  const listener = (event: CallEvent): void => void events.push(event);
  channelOf('ng-ssr:call').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:call').unsubscribe(listener));
  return events;
}

it('publishes each call with its rule, status and bytes, and without secrets', async () => {
  const api = await startApi();
  const events = subscribe();
  const server = shop(
    api,
    async (text) => {
      await text('/late?ms=1&access_token=t0p&page=2&api%4Bey=x#part');
      return text('/hung').catch(String);
    },
    { timeoutMs: 500 },
  );
  await server.get('/p');
  const rule = `${api.origin}/**`;
  expect(events).toMatchObject([
    {
      name: 'GET /p',
      method: 'GET',
      url: `${api.origin}/late?ms=1&access_token=...&page=2&api%4Bey=...`,
      rule,
      status: 200,
      error: undefined,
      bytes: 4,
      durationMs: expect.any(Number),
      timeMs: expect.any(Number),
    },
    { url: `${api.origin}/hung`, status: undefined, error: 'NG_SSR_CALL_TIMEOUT', bytes: 0 },
  ]);
  expect(events[0]!.render).toBe(events[1]!.render);
});

it('counts calls in metrics, by rule and outcome', async () => {
  const api = await startApi();
  const registry = new Registry();
  onTestFinished(collectMetrics(registry));
  const server = shop(api, async (text) => {
    const texts = [text('/late?ms=1'), text('/fails-first?times=1&status=503'), text('/reset')];
    return String(await Promise.allSettled(texts));
  });
  await server.get('/p');
  const text = await registry.metrics();
  const of = `rule="${api.origin}/**",result=`;
  const count = 'ng_ssr_call_duration_seconds_count';
  expect(text).toContain(`${count}{${of}"bypass",outcome="200"} 1`);
  expect(text).toContain(`${count}{${of}"bypass",outcome="503"} 1`);
  expect(text).toContain(`${count}{${of}"bypass",outcome="NG_SSR_CALL_FAILED"} 1`);
  expect(text).toContain(`ng_ssr_call_bytes_total{${of}"bypass"} 7`);
});

it('makes a span of each call, within the trace of its render', async () => {
  const api = await startApi();
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  onTestFinished(() => context.disable());
  onTestFinished(traceRenders(provider.getTracer('test')));
  const server = shop(api, async (text) => {
    await text('/late?ms=1');
    return text('/reset').catch(String);
  });
  await server.get('/p');
  const spans = exporter.getFinishedSpans();
  const spanOf = (name: string) => spans.find((span) => span.name === name)!;
  const render = spanOf('render GET /p').spanContext();
  const ok = spanOf(`GET ${api.origin}/late?ms=1`);
  const failed = spanOf(`GET ${api.origin}/reset`);
  for (const span of [ok, failed]) {
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.parentSpanContext?.spanId).toBe(render.spanId);
    expect(span.spanContext().traceId).toBe(render.traceId);
  }
  expect(ok.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.response.body.size': 4,
  });
  expect(failed.status.code).toBe(SpanStatusCode.ERROR);
});

it('states in Server-Timing how many calls a page has made, and how long it waited for them', async () => {
  const api = await startApi();
  const server = shop(api, async (text) =>
    String(await Promise.all([text('/late?ms=60'), text('/late?ms=60')])),
  );
  const timing = (await server.get('/p')).header('server-timing')!;
  const [, ms, totalMs] = /^calls;dur=(\d+\.\d);desc="2", ng-ssr;dur=(\d+\.\d)$/.exec(timing)!;
  expect(Number(ms)).toBeGreaterThan(0);
  // Two at a time count once.
  expect(Number(ms)).toBeLessThanOrEqual(Number(totalMs));
});

it('gives notice of calls that cost pages their speed, each kind once', async () => {
  const api = await startApi();
  const published: string[] = [];
  const listener = ({ code, message }: NoticeEvent): void =>
    void published.push(`${code} ${message}`);
  channelOf('ng-ssr:notice').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:notice').unsubscribe(listener));
  const pages: Record<string, Render> = {
    '/sequence': async (text) =>
      (await text('/late?ms=40')) + (await text('/late?ms=41')) + (await text('/late?ms=42')),
    '/parallel': async (text) =>
      String(await Promise.all([text('/late?ms=60&b'), text('/late?ms=61&b'), text('/late?ms=1')])),
    '/repeated': async (text) => (await text('/echo')) + (await text('/echo')),
    '/large': async (text) => String((await text('/bytes?count=900000')).length),
    '/state': async () =>
      `<script id="ng-state" type="application/json">${'x'.repeat(300_000)}</script>`,
  };
  const server = storedServer(
    async (request) => {
      const render = pages[new URL(request.url).pathname]!;
      return html(await render(async (path) => (await fetch(api.origin + path)).text()), {});
    },
    { features: [withCalls({ [`${api.origin}/**`]: {} })] },
  );
  for (const page of [...Object.keys(pages), ...Object.keys(pages)]) await server.get(page);
  const notices = server.errors.map(({ code, message }) => `${code} ${message}`);
  const url = (path: string): string => api.origin + path;
  expect(notices).toEqual([
    expect.stringMatching(
      /^NG_SSR_CALL_NOTICE GET \/sequence: its 3 calls took \d+ ms one after another/,
    ),
    expect.stringContaining(`GET /repeated: GET ${url('/echo')} was sent more than once`),
    expect.stringContaining(
      `GET /large: GET ${url('/bytes?count=900000')} has 900000 bytes: HttpClient fails above`,
    ),
    expect.stringMatching(/GET \/state: its transfer state has 300\d\d\d bytes/),
  ]);
  expect(published).toEqual(notices);
});

it('leaves the fetch of other code alone', async () => {
  const api = await startApi();
  const events = subscribe();
  const server = shop(api, async (text) => text('/echo'));
  await server.get('/p');
  expect(events).toHaveLength(1);
  expect(await (await fetch(`${api.origin}/late?ms=1`)).text()).toBe('late');
  expect(events).toHaveLength(1);
  await expect(fetch('/relative')).rejects.toThrow(TypeError);
});

it('gives no notice of repeated calls that dedupe does not join', async () => {
  const api = await startApi();
  const headersOf: Record<string, readonly Record<string, string>[]> = {
    '/cookies': [{ cookie: 'sid=1' }, { cookie: 'sid=1' }],
    '/tokens': [{ authorization: 'Bearer 1' }, { authorization: 'Bearer 1' }],
    '/one-token': [{}, { authorization: 'Bearer 1' }],
    '/headers': [{ 'x-tenant': '1' }, { 'x-tenant': '2' }],
  };
  const server = storedServer(
    async (request) => {
      for (const headers of headersOf[new URL(request.url).pathname]!)
        await (await fetch(`${api.origin}/echo`, { headers })).text();
      return html('page', {});
    },
    { features: [withCalls({ [`${api.origin}/**`]: {} })] },
  );
  for (const page of Object.keys(headersOf)) await server.get(page);
  expect(server.errors.map(({ message }) => message)).toEqual([]);
});
