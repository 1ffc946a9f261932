import { isPlatformServer, PlatformLocation } from '@angular/common';
import { type HttpInterceptorFn, type HttpRequest, HttpResponse } from '@angular/common/http';
import {
  afterNextRender,
  DOCUMENT,
  EnvironmentInjector,
  inject,
  InjectionToken,
  PLATFORM_ID,
} from '@angular/core';
import { EMPTY, from, of, switchMap } from 'rxjs';
import type { Arrival } from './arrival.ts';
import { ARRIVED } from './arrived-slots.ts';

/**
 * Gives responses that follow a cached page to HttpClient, for slots of `withSlots()` with a `call`. A server does not make
 * these calls while it renders: they complete without a value, and the page shows its fallback. In the browser, the requests of
 * a starting application wait for their slot. Without it, and later, requests are sent as usual.
 *
 * @example
 * provideHttpClient(withInterceptors([lateCalls]))
 */
export const lateCalls: HttpInterceptorFn = (request, next) => {
  const late = inject(LATE);
  const name = late.slotOf(request);
  if (name === undefined) return next(request);
  if (late.isServer) return EMPTY;
  const arrival = late.read(name, request);
  if (arrival === undefined) return next(request);
  return from(arrival).pipe(
    switchMap((arrived) =>
      typeof arrived === 'object' ? of(toResponse(request, arrived.data)) : next(request),
    ),
  );
};

/** Data of an application that starts later is old. */
const MOST_AGE_MS = 10_000;
const startedMs = performance.now();
const SAFE = /^(?:GET|HEAD|OPTIONS)$/;

/** The calls of an application whose data comes in slots. */
class LateCalls {
  readonly isServer: boolean = isPlatformServer(inject(PLATFORM_ID));
  readonly #location = inject(PlatformLocation);
  readonly #document = inject(DOCUMENT);
  readonly #injector = inject(EnvironmentInjector);
  readonly #arrived = inject(ARRIVED);
  /** The names of slots, by URL. */
  readonly #slots = new Map<string, string>();
  /** Requests for the same URL share one. */
  readonly #waiting = new Map<string, Promise<Arrival>>();
  readonly #read = new Set<string>();
  #isOver = false;

  constructor() {
    const element = this.#document.querySelector('head > meta[name="ng-ssr-late-calls"]');
    const list = element?.getAttribute('content') ?? (this.isServer ? ofProgram() : undefined);
    const words = list?.split(' ') ?? [];
    for (let at = 0; at + 1 < words.length; at += 2) {
      this.#slots.set(new URL(words[at + 1]!, this.#location.href).href, words[at]!);
    }
  }

  slotOf({ method, urlWithParams }: HttpRequest<unknown>): string | undefined {
    // What a slot has may have changed.
    if (!SAFE.test(method)) this.#isOver = true;
    if (method !== 'GET' || this.#slots.size === 0) return undefined;
    const { href } = this.#location;
    const base = new URL(this.#location.getBaseHrefFromDOM() || href, href);
    return URL.canParse(urlWithParams, base)
      ? this.#slots.get(new URL(urlWithParams, base).href)
      : undefined;
  }

  /** Undefined for a request that gets nothing of its slot. */
  read(
    name: string,
    { credentials, headers, responseType }: HttpRequest<unknown>,
  ): Promise<Arrival> | undefined {
    const isLoading = this.#document.readyState === 'loading';
    const isOld = !isLoading && performance.now() - startedMs > MOST_AGE_MS;
    // The server's call has the cookies of the visitor, and no other header of this request.
    const hasOwn = headers.keys().some((header) => header.toLowerCase() !== 'accept');
    const isOther = responseType !== 'json' || credentials === 'omit' || hasOwn;
    if (this.#isOver || isOld || isOther || isOfHistory() || this.#read.has(name)) return undefined;
    let waiting = this.#waiting.get(name);
    if (waiting !== undefined) return waiting;
    waiting = new Promise<Arrival>((resolve) => {
      // Hydration must find the page as the server has rendered it.
      const read = (): void => void this.#arrived.readHere(name, resolve);
      afterNextRender(read, { injector: this.#injector });
    });
    this.#waiting.set(name, waiting);
    void waiting.then(() => this.#read.add(name));
    return waiting;
  }
}

/** Whether the visitor has gone back: browsers then use the document again, even with `no-cache`, with the data of that time. */
function isOfHistory(): boolean {
  const [visit] = performance.getEntriesByType('navigation');
  return (visit as PerformanceNavigationTiming | undefined)?.type === 'back_forward';
}

/** What the server of this process says, while `ng build` or `ng serve` renders a page: see `late-calls.ts` of the core. */
function ofProgram(): string | undefined {
  return (globalThis as { [LIST]?: string })[LIST];
}

const LIST = Symbol.for('ng-ssr.late-calls');

function toResponse({ urlWithParams: url }: HttpRequest<unknown>, data: unknown) {
  return new HttpResponse({ body: structuredClone(data), status: 200, statusText: 'OK', url });
}

const LATE = new InjectionToken<LateCalls>('calls whose data comes in slots', {
  providedIn: 'root',
  factory: () => new LateCalls(),
});
