import { anything, list, number, object, oneOf, optional, type Shape, text } from './shape.ts';

/** More than a server has: of its lists, those of an attacker would fill the screen and the memory. */
const MANY = 10_000;

const requests = object({ hit: number, stale: number, miss: number, bypass: number });
const shed = object({ stale: number, csr: number, unavailable: number });

/** Of `InspectorState`. */
export const STATE: Shape = object({
  timeMs: number,
  startedAtMs: number,
  pid: number,
  buildId: text,
  versions: object({ ngSsr: text, node: text }),
  requests,
  renders: object({
    inFlight: list(object({ name: text, queuedMs: number, sinceMs: number }), MANY),
    queued: number,
    concurrency: number,
    maxQueued: number,
    ended: number,
    failed: number,
  }),
  shed,
  pages: object({ count: number, bytes: number, maxBytes: number }),
  calls: object({ count: number, failed: number, saved: number, storedBytes: number }),
  memory: object({
    rssBytes: number,
    heapUsedBytes: number,
    heapLimitBytes: number,
    limitBytes: number,
  }),
  threads: list(
    object({
      threadId: number,
      kind: oneOf('render', 'server'),
      state: oneOf('starting', 'ready', 'ending'),
      done: number,
    }),
    MANY,
  ),
  routes: list(
    object({ route: text, renders: number, failed: number, meanMs: number, maxMs: number }),
    MANY,
  ),
  history: list(
    object({
      timeMs: number,
      requests,
      renders: number,
      renderMs: number,
      queued: number,
      running: number,
      shed,
      rssBytes: number,
      cpuMs: number,
    }),
    MANY,
  ),
});

/** Of the answer to a purge. Older servers have neither member. */
export const PURGED: Shape = object({
  here: optional(number),
  elsewhere: optional(list(text, MANY)),
});

/** Of `Explanation`. */
export const EXPLANATION: Shape = object({
  url: text,
  answer: oneOf('held', 'stored', 'constant', 'server', 'render', 'refused'),
  status: optional(number),
  reasons: list(text, MANY),
  key: optional(text),
  rule: optional(object({ pattern: text, settings: anything })),
  otherRules: list(object({ pattern: text, reason: text }), MANY),
  locale: optional(text),
  storing: optional(object({ reason: text })),
  fallbacks: list(text, MANY),
  page: optional(
    object({
      state: text,
      ageSeconds: number,
      ttlSeconds: number,
      bytes: number,
      hits: number,
      tags: list(text, MANY),
    }),
  ),
  notStored: optional(object({ reason: text, timeMs: number })),
  failure: optional(object({ code: text, message: text, timeMs: number })),
  representations: list(object({ encoding: text, bytes: number, etag: optional(text) }), MANY),
  calls: list(
    object({ method: text, url: text, rule: text, result: text, durationMs: number }),
    MANY,
  ),
});
