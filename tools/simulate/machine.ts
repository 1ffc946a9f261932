import { type PageStore, type Purge, type SsrError, withSharedStore } from '@ng-ssr/core';
import type { Exchange } from '@ng-ssr/core/adapter';
import { NO_ENCODER } from '../../packages/core/dist/answers/encoder.js';
import { resolveNeutralOptions } from '../../packages/core/dist/handler/neutral-options.js';
import { toAllowedHosts } from '../../packages/core/dist/host/allowed-hosts.js';
import { SiteReader } from '../../packages/core/dist/host/site.js';
import { resolveCacheOptions } from '../../packages/core/dist/pages/options/resolve-cache-options.js';
import { compose, type Composition } from '../../packages/core/dist/path/compose.js';
import { closeParts } from '../../packages/core/dist/path/close-parts.js';
import { ErrorReports } from '../../packages/core/dist/path/error-reports.js';
import { forServer } from '../../packages/core/dist/path/for-server.js';
import { traitsOf } from '../../packages/core/dist/path/watch-trait.js';
import type { Renderer } from '../../packages/core/dist/render/renderer.js';
import type { RenderJob } from '../../packages/core/dist/render/render-job.js';
import type { Rendered } from '../../packages/core/dist/render/render-whole.js';
import type { Scenario } from './scenario.ts';
import type { Site } from './site.ts';
import type { VirtualTime } from './virtual-time.ts';

/** As on Node: four for each render thread, and at least two. */
const RENDERS_PER_CORE = 4;
const FEWEST_PER_CORE = 2;

/** A request to a machine. */
export class PageExchange implements Exchange {
  readonly method = 'GET';
  readonly encrypted = true;
  readonly status = 200;
  readonly target: string;
  readonly #host: string;
  readonly #cookie: string | undefined;
  parsedRequest?: object | undefined;

  constructor(host: string, target: string, cookie: string | undefined) {
    this.#host = host;
    this.target = target;
    this.#cookie = cookie;
  }

  header(name: string): string | undefined {
    if (name === 'host') return this.#host;
    return name === 'cookie' ? this.#cookie : undefined;
  }

  *headers(): Iterable<readonly [string, string]> {
    yield ['host', this.#host];
    if (this.#cookie !== undefined) yield ['cookie', this.#cookie];
  }

  content(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(0));
  }
}

/** Renders take simulated time on the cores of a machine, one after the other. */
class Cores implements Renderer {
  readonly minConcurrency: number;
  readonly #freeAtMs: Float64Array;
  #assignedMs = 0;
  readonly #startMs: number;
  readonly #time: VirtualTime;
  readonly #renderMs: number;
  readonly #render: (job: RenderJob, dataMs: number) => Rendered;

  constructor(
    { cores, renderMs }: Scenario,
    time: VirtualTime,
    render: (job: RenderJob, dataMs: number) => Rendered,
  ) {
    this.#freeAtMs = new Float64Array(cores).fill(time.nowMs);
    this.minConcurrency = FEWEST_PER_CORE * cores;
    this.#startMs = time.nowMs;
    this.#time = time;
    this.#renderMs = renderMs;
    this.#render = render;
  }

  async render(job: RenderJob): Promise<Rendered> {
    const { nowMs } = this.#time;
    const dataMs = Math.floor(nowMs);
    const core = this.#freeAtMs.indexOf(Math.min(...this.#freeAtMs));
    const endMs = Math.max(nowMs, this.#freeAtMs[core]!) + this.#renderMs;
    this.#freeAtMs[core] = endMs;
    this.#assignedMs += this.#renderMs;
    await this.#time.wait(endMs - nowMs);
    return this.#render(job, dataMs);
  }

  times(): { readonly activeMs: number; readonly idleMs: number } {
    const { nowMs } = this.#time;
    const ahead = this.#freeAtMs.reduce((sum, freeMs) => sum + Math.max(0, freeMs - nowMs), 0);
    const activeMs = this.#assignedMs - ahead;
    return { activeMs, idleMs: (nowMs - this.#startMs) * this.#freeAtMs.length - activeMs };
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A purge that a machine knows. */
export interface KnownPurge {
  readonly sinceMs: number;
  readonly knownAtMs: number;
  readonly isHard: boolean;
}

/** What a machine reports. */
export interface MachineEvents {
  rendered(): void;
  failed(error: SsrError): void;
}

/** The parts of a server as `compose()` makes them, without files, sockets and threads. */
export class Machine {
  readonly buildId: string;
  /** Of each group of pages, the latest purge that this machine knows. */
  readonly known = new Map<number, KnownPurge>();
  readonly #parts: Composition;
  readonly #report: (error: SsrError) => void;

  constructor(
    scenario: Scenario,
    site: Site,
    time: VirtualTime,
    buildId: string,
    store: PageStore | undefined,
    events: MachineEvents,
  ) {
    this.buildId = buildId;
    const { cores, memoryMib, sMaxAge, swr, varyShare } = scenario;
    const rule = {
      ...{ sMaxAge, staleWhileRevalidate: swr },
      ...(varyShare > 0 && { vary: { cookies: ['variant'] } }),
    };
    const neutral = resolveNeutralOptions({
      engine: () => Promise.reject(new Error('the renderer is in its place')),
      allowedHosts: [site.host],
      routeRules: { '/p/**': rule },
      errorDetails: false,
      onError: (error) => events.failed(error),
    });
    const options = {
      ...neutral,
      cache: resolveCacheOptions({ maxBytes: memoryMib * 1024 * 1024 }, []),
      render: { ...neutral.render, concurrency: RENDERS_PER_CORE * cores, maxQueued: 256 },
    };
    const reports = new ErrorReports(options.onError);
    const all = store === undefined ? [] : [withSharedStore(store, { buildId })];
    const features = forServer(all, { isBuilt: true, isStored: true, isFilling: false });
    const renderer = new Cores(scenario, time, ({ request }, dataMs) => {
      events.rendered();
      const page = site.pageIn(request.url);
      const headers = new Headers();
      const list = site.headersOf(page, dataMs);
      for (let at = 0; at < list.length; at += 2) headers.append(list[at]!, list[at + 1]!);
      return { response: { status: 200, headers }, body: site.bodyOf(page) };
    });
    const runtime = {
      ...{ isBuilt: true, browserFolder: undefined, locales: undefined, encodings: [] },
      index: { baseHref: '/', hasCsrPage: false, find: nothing, findLarge: nothing },
      constantPages: { routes: undefined, find: nothing },
      traits: traitsOf(features, reports.report),
      ...{ renderer, threads: [], encoder: NO_ENCODER, isMain: true, main: undefined },
      buildIdOf: (own: string | undefined) => own ?? '',
      readSites: (isTrusted: (name: string) => boolean) =>
        new SiteReader(toAllowedHosts([site.host]), isTrusted, false, undefined),
    };
    const hooks = { begin: () => undefined, isProbe: () => false };
    this.#report = reports.report;
    this.#parts = compose(runtime, options, features, reports, hooks);
  }

  /** A page in memory that is sent at once. */
  find(exchange: Exchange): ReturnType<Composition['requestPath']['answer']> {
    const { parser, requestPath } = this.#parts;
    return requestPath.answer(parser.parse(exchange));
  }

  /** Whether a page in memory is sent while it is rendered again, or the request waits for a render of it. */
  look(exchange: Exchange): 'memory' | 'waits' | undefined {
    const { parser, server } = this.#parts;
    const look = server.pages.look!(parser.parse(exchange), []);
    if (look.inPlaceOfRender !== undefined) return 'memory';
    return look.isInFlight ? 'waits' : undefined;
  }

  answer(exchange: Exchange): ReturnType<Composition['requestPath']['answerWithRender']> {
    const { parser, requestPath } = this.#parts;
    return requestPath.answerWithRender(parser.parse(exchange), undefined);
  }

  purge(purge: Purge): Promise<void> {
    return this.#parts.server.pages.purge(purge);
  }

  /** Bytes and number of the pages in memory. */
  memory(): { readonly pages: number; readonly bytes: number } {
    const { count, bytes } = this.#parts.server.pages.inspect({ limit: 0 });
    return { pages: count, bytes };
  }

  async close(): Promise<void> {
    await closeParts(this.#parts.closings, this.#report);
  }
}

function nothing(): undefined {
  return undefined;
}
