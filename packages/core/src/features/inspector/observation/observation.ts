import type { SsrError } from '../../../errors.ts';
import { withoutSecrets } from '../../../without-secrets.ts';
import {
  type CallEvent,
  channelOf,
  type Channels,
  type RenderEndEvent,
  type RenderStartEvent,
} from '../../../telemetry/channels.ts';
import { isOfInspector } from '../answers.ts';
import type { AnsweredRequests } from '../../../threads/server-threads.ts';
import type {
  CallsState,
  NoticeState,
  RenderInFlight,
  RouteState,
  Sample,
  SlotState,
} from '../protocol.ts';
import {
  addCounts,
  countRequest,
  countsOf,
  noneShed,
  noRequests,
  type RequestCounts,
  type ShedCounts,
  type SlotCounts,
} from './counts.ts';
import { cpuMs } from './cpu-time.ts';
import { type Gauges, History } from './history.ts';
import { PageNotesList } from './page-notes.ts';
import { RouteTimesList } from './route-times.ts';

interface BegunRender {
  readonly name: string;
  readonly queuedMs: number;
  /** `performance.now()` */
  readonly sinceMs: number;
}

/** What a state lists of renders in flight: a server may have thousands. */
const MOST_LISTED = 100;
const MOST_CHARACTERS = 300;
const MOST_NOTICES = 20;

/** What an {@link Observation} asks its server. */
export interface ObservedServer {
  gauges(): Gauges;
  /** The route of a page's target: the pattern of its rule, or a path without values. */
  routeOf(target: string): string;
  /** The path of a target, as the channels of stored pages have it. */
  pathOf(target: string): string;
}

/** What ng-ssr's channels say while the inspector is on: counted, bounded, and never more than five minutes. */
export class Observation {
  readonly notes: PageNotesList = new PageNotesList();
  readonly requests: RequestCounts = noRequests();
  readonly shed: ShedCounts = noneShed();
  /** The latest first. */
  readonly notices: NoticeState[] = [];
  ended = 0;
  failed = 0;
  pageErrors = 0;
  readonly #server: ObservedServer;
  readonly #history: History;
  readonly #routes = new RouteTimesList();
  readonly #begun = new Map<object, BegunRender>();
  readonly #calls = { count: 0, failed: 0, saved: 0 };
  readonly #slots: SlotCounts = new Map();

  constructor(server: ObservedServer) {
    this.#server = server;
    this.#history = new History(performance.now(), cpuMs());
  }

  /** Listens from now on. @returns a function that ends it. */
  listen(): () => void {
    const ends = [
      subscribe('ng-ssr:request', (event) => {
        if (isOfInspector(event)) return;
        countRequest(this.requests, event);
        countRequest(this.#history.now.requests, event);
      }),
      subscribe('ng-ssr:render:start', (event) => this.#begin(event)),
      subscribe('ng-ssr:render:end', (event) => this.#end(event)),
      subscribe('ng-ssr:shed', ({ fallback }) => {
        this.shed[fallback]++;
        this.#history.now.shed[fallback]++;
      }),
      subscribe('ng-ssr:notice', ({ code, message }) => {
        this.notices.unshift({ timeMs: Date.now(), code, message });
        this.notices.length = Math.min(this.notices.length, MOST_NOTICES);
      }),
      subscribe('ng-ssr:store', (event) => this.notes.noteStore(event)),
      subscribe('ng-ssr:call', (event) => this.#call(event)),
      subscribe('ng-ssr:slot', ({ slot, result }) => countsOf(this.#slots, slot)[result]++),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Ends a second. */
  tick(): void {
    this.#history.tick(performance.now(), this.#server.gauges());
  }

  /** Counts an error of a page, and remembers it by its path. The channels have no messages of failed renders. */
  noteError(error: SsrError): void {
    if (error.code === 'NG_SSR_ERROR_UNHANDLED') this.pageErrors++;
    else this.notes.noteFailure(error, (target) => this.#server.pathOf(target));
  }

  /** Adds what another thread has answered. */
  addAnswered({ counts, slots }: AnsweredRequests): void {
    addCounts(this.requests, counts);
    addCounts(this.#history.now.requests, counts);
    for (const [slot, filled] of slots) addCounts(countsOf(this.#slots, slot), filled);
  }

  history(timeMs: number): Sample[] {
    return this.#history.read(performance.now(), timeMs);
  }

  routes(most: number): RouteState[] {
    return this.#routes.read(most);
  }

  slots(named: readonly Pick<SlotState, 'name' | 'routes' | 'call'>[]): SlotState[] {
    return named.map(({ name, routes, call }) => ({
      ...{ name, routes, call },
      ...countsOf(this.#slots, name),
    }));
  }

  calls(storedBytes: number): CallsState {
    return { ...this.#calls, storedBytes };
  }

  /** Renders that have not ended, the oldest first. */
  inFlight(): RenderInFlight[] {
    const nowMs = performance.now();
    return [...this.#begun.values()].slice(0, MOST_LISTED).map(({ name, queuedMs, sinceMs }) => {
      return { name, queuedMs, sinceMs: nowMs - sinceMs };
    });
  }

  #begin({ render, name, queuedMs }: RenderStartEvent): void {
    const sinceMs = performance.now();
    this.#begun.set(render, {
      name: withoutSecrets(name).slice(0, MOST_CHARACTERS),
      queuedMs,
      sinceMs,
    });
  }

  #end({ render, name, durationMs, status, error }: RenderEndEvent): void {
    this.#begun.delete(render);
    const hasFailed = error !== undefined || (status !== undefined && status >= 500);
    this.ended++;
    if (error !== undefined) this.failed++;
    else this.notes.noteRendered(this.#server.pathOf(targetOf(name)));
    this.#history.now.renders++;
    this.#history.now.renderMs += durationMs;
    this.#routes.add(this.#server.routeOf(targetOf(name)), durationMs, hasFailed);
  }

  #call(event: CallEvent): void {
    this.#calls.count++;
    if (event.error !== undefined) this.#calls.failed++;
    if (event.result === 'hit' || event.result === 'stale' || event.result === 'collapsed') {
      this.#calls.saved++;
    }
    this.notes.noteCall(this.#server.pathOf(targetOf(event.name)), event);
  }
}

/** The target in a name, method and target. */
function targetOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

function subscribe<Name extends keyof Channels>(
  name: Name,
  listener: (message: Channels[Name]) => void,
): () => void {
  const channel = channelOf(name);
  channel.subscribe(listener);
  return () => channel.unsubscribe(listener);
}
