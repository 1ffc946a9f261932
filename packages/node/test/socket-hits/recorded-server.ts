import { channel } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread, threadId } from 'node:worker_threads';
import {
  type EngineSetup,
  type RenderEngine,
  type RequestEvent,
  type RequestLogEntry,
  type SsrOptions,
  withNonce,
} from '@ng-ssr/core';
import { withInspector, withRequestLog, withServerThreads } from '@ng-ssr/core';
import { collectMetrics } from '@ng-ssr/node/prometheus';
import type { Hits, SsrServer } from '@ng-ssr/node/adapter';
import { Registry } from 'prom-client';

/** The JSON in the first argument of a program that is recorded. */
export interface RecordedSettings {
  /** The browser folder; records are written beside it. */
  readonly folder: string;
  readonly hasSocketHits: boolean;
  readonly threads: number;
  readonly isSecure: boolean;
}

/** What one thread has seen. */
export interface ThreadRecord {
  readonly log: readonly RequestLogEntry[];
  readonly events: readonly RequestEvent[];
  /** How many requests node:http has read. */
  readonly readByNode: number;
}

export const TOKEN = 'a-token-of-the-recorded-server';
/** The nonce in pages before it is replaced. */
export const PLACEHOLDER = 'YS1wbGFjZWhvbGRlcg';

export type RecordedOptions = SsrOptions & {
  readonly serveHits: Hits;
  readonly requestContext: () => unknown;
};

/**
 * Serves built files and stored pages, and writes a {@link ThreadRecord} for each thread when it ends. The main thread
 * prints its port.
 *
 * @param ownServer - For `listen`. Default: the adapter's.
 */
export async function serveRecorded(
  create: (options: RecordedOptions, settings: RecordedSettings) => SsrServer,
  ownServer?: (server: SsrServer, settings: RecordedSettings) => NetServer | undefined,
): Promise<void> {
  const settings = JSON.parse(process.argv[2]!) as RecordedSettings;
  const record = { log: [] as RequestLogEntry[], events: [] as RequestEvent[], readByNode: 0 };
  const registry = new Registry();
  collectMetrics(registry);
  channel('ng-ssr:request').subscribe((event) => void record.events.push(event as RequestEvent));
  const countRead = (entries: PerformanceEntryList): void => {
    record.readByNode += entries.filter(({ name }) => name === 'HttpRequest').length;
  };
  const observer = new PerformanceObserver((list) => countRead(list.getEntries()));
  observer.observe({ entryTypes: ['http'] });
  let secret = '';
  const engine: RenderEngine = ({ url }, context) =>
    pageOf(new URL(url), { context, registry, secret });
  Object.assign(engine, { setup: ({ nonce }: EngineSetup) => void (secret = nonce!.secret) });
  const server = create(
    {
      engine,
      allowedHosts: ['127.0.0.1'],
      files: { folder: settings.folder },
      serveHits: 'before-middleware',
      cache: {
        // Encodings are made meanwhile: which answer is the first with one depends on the time.
        encodings: [],
      },
      render: { encodings: [] },
      features: [
        withNonce({ placeholder: PLACEHOLDER, policy: `script-src 'nonce-${PLACEHOLDER}'` }),
        withInspector({ path: '/inspector', token: TOKEN }),
        withServerThreads({ threads: settings.threads }),
        withRequestLog({
          write: (entries) => void record.log.push(...entries),
          headers: ['User-Agent'],
        }),
      ],
      requestContext: () => threadId,
      probes: { live: '/livez' },
    },
    settings,
  );
  process.on('exit', () => {
    countRead(observer.takeRecords());
    const file = join(settings.folder, '..', `record-${threadId}.json`);
    writeFileSync(file, JSON.stringify(record satisfies ThreadRecord));
  });
  const { port, server: listening } = await server.listen({
    port: 0,
    host: '127.0.0.1',
    announce: false,
    server: ownServer?.(server, settings),
  });
  await server.ready();
  if (!settings.hasSocketHits) (listening as Server).on('request', () => undefined);
  if (isMainThread) console.log(port);
}

interface Rendering {
  readonly context: unknown;
  readonly registry: Registry;
  readonly secret: string;
}

async function pageOf(
  { pathname }: URL,
  { context, registry, secret }: Rendering,
): Promise<Response> {
  if (pathname === '/api/thread')
    return reply(String(context), { 'cache-control': 'no-store' }, 203);
  if (pathname === '/api/metrics')
    return reply(await registry.metrics(), { 'cache-control': 'no-store' }, 203);
  const stored = { 'cache-control': 's-maxage=600', 'x-page': 'stored' };
  switch (pathname) {
    case '/stored':
      return reply(`<html>${'stored '.repeat(1000)}</html>`, stored);
    case '/varied':
      return reply('<html>varied</html>', { ...stored, vary: 'accept-language' });
    case '/moved':
      return reply('', { ...stored, location: '/stored' }, 301);
    case '/nonce':
      return reply(`<html><script nonce="${secret}"></script></html>`, stored);
    default:
      return reply('<html>private</html>', { 'cache-control': 'private' });
  }
}

function reply(text: string, headers: Record<string, string>, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/html', ...headers } });
}
