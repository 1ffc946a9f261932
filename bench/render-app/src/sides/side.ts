import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { channelOf, type RenderEngine, type SsrError, withRenderThreads } from '@ng-ssr/core';
import { SsrHandler, wholeContentOf } from '@ng-ssr/core/adapter';
import { createExchange } from '../../../src/micro/plain-exchange.ts';

/** Renders one page to its bytes. */
export type RenderBytes = (path: string) => Promise<Uint8Array>;

/** Makes each side's render when its copy of the build is loaded. */
export type Sides = Readonly<Record<string, () => RenderBytes>>;

/** The folder of the server's files in this copy of the build: Angular puts all chunks of a server there. */
const folder = dirname(fileURLToPath(import.meta.url));

export const browserFolder = join(folder, '../browser');

const HEADERS = { accept: 'text/html', 'accept-encoding': 'gzip', 'user-agent': 'bench' };

const NEVER_MS = 3_600_000;

export const toUrl = (path: string): string => `http://localhost${path}`;

/** The render of this copy: its folder has the name of its side. */
export function chooseSide(sides: Sides): RenderBytes {
  const name = basename(dirname(folder));
  const create = sides[name] ?? (() => () => Promise.reject(new Error(`no side "${name}"`)));
  return create();
}

/** An engine's answer, read to its end as every server must; content that is whole as ng-ssr's server takes it. */
export function renderBy(
  handle: (request: Request) => Promise<Response | null> | Response | null,
): RenderBytes {
  return async (path) => {
    const response = await handle(new Request(toUrl(path), { headers: HEADERS }));
    if (response?.status !== 200) throw new Error(`${path}: status ${response?.status}`);
    return wholeContentOf(response) ?? new Uint8Array(await response.arrayBuffer());
  };
}

/** A render that calls `change` once, after its first page. */
export function afterFirst(render: RenderBytes, change: () => void): RenderBytes {
  let isChanged = false;
  return async (path) => {
    const page = await render(path);
    if (!isChanged) change();
    isChanged = true;
    return page;
  };
}

/** One of ng-ssr's engines, without a server. */
export function engineSide(engine: RenderEngine): RenderBytes {
  engine.setup?.({ allowedHosts: ['localhost'], trustProxyHeaders: false, browserFolder });
  return renderBy((request) => engine(request, undefined) as Promise<Response | null>);
}

/**
 * One of ng-ssr's engines in a render thread, behind everything that surrounds a render. It rejects where a page is not
 * one that the thread rendered for this call: such a page costs less, or its render is on another thread.
 */
export function threadSide(engine: RenderEngine): RenderBytes {
  let failure: SsrError | undefined;
  let rendered = 0;
  let sent = 0;
  channelOf('ng-ssr:render:end').subscribe(({ status }) => {
    if (status === 200) rendered++;
  });
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['localhost'],
    cache: false,
    files: { folder: browserFolder, encodings: [] },
    features: [withRenderThreads({ threads: 1 })],
    render: {
      encodings: [],
      // A late page is an error, and not another page.
      fallbacks: ['queue'],
      maxWaitMs: NEVER_MS,
      timeoutMs: NEVER_MS,
    },
    onError: (error) => {
      console.error(`${error.code}: ${error.message}`);
      // Without a thread, pages are rendered on the main thread.
      if (error.code.startsWith('NG_SSR_WORKER_')) failure = error;
    },
  });
  const ready = handler.ready();
  return async (path) => {
    await ready;
    if (failure !== undefined) throw failure;
    const answer = await handler.render(createExchange(path, { accept: 'text/html' }));
    if (answer?.status !== 200) throw new Error(`${path}: status ${answer?.status}`);
    if (++sent > rendered) throw new Error(`${path}: not rendered for this request`);
    return answer.body as Uint8Array;
  };
}
