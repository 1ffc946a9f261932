import type { InspectorState, Sample } from '@ng-ssr/core';

/** When the state was recorded. */
const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const SECONDS = 240;

/** A server that has come into an overload in the last minute. */
export const RECORDED: InspectorState = {
  timeMs: NOW_MS,
  startedAtMs: NOW_MS - 11_532_000,
  pid: 4711,
  buildId: '0f3a9b2c4d5e6f70',
  versions: { ngSsr: '0.1.0', node: 'v24.21.0' },
  requests: { hit: 1_234_567, stale: 4321, miss: 54_321, bypass: 12, file: 0 },
  renders: {
    inFlight: [
      { name: 'GET /products/1', queuedMs: 0, sinceMs: 120 },
      {
        name: 'GET /search?q=a-long-search-for-something-that-no-line-can-show-in-full&page=17',
        queuedMs: 640,
        sinceMs: 6400,
      },
      { name: 'GET /account', queuedMs: 12, sinceMs: 1800 },
    ],
    queued: 24,
    concurrency: 8,
    maxQueued: 32,
    ended: 54_300,
    failed: 17,
    pageErrors: 4,
  },
  shed: { stale: 210, csr: 1890, unavailable: 3 },
  pages: { count: 1204, bytes: 34 * 1024 * 1024, maxBytes: 256 * 1024 * 1024 },
  calls: { count: 98_765, failed: 5, saved: 91_000, storedBytes: 5_400_000 },
  memory: {
    rssBytes: 412 * 1024 * 1024,
    heapUsedBytes: 131 * 1024 * 1024,
    heapLimitBytes: 2048 * 1024 * 1024,
    limitBytes: 1024 * 1024 * 1024,
  },
  threads: [
    { threadId: 1, kind: 'render', state: 'ready', done: 30_000 },
    { threadId: 2, kind: 'render', state: 'starting', done: 0 },
    { threadId: 3, kind: 'server', state: 'ready', done: 400_000 },
  ],
  notices: [],
  slots: [],
  routes: [
    { route: '/products/*', renders: 40_000, failed: 2, meanMs: 31, maxMs: 840 },
    { route: '/search', renders: 3000, failed: 15, meanMs: 410, maxMs: 7200 },
    { route: '/account', renders: 11_000, failed: 0, meanMs: 18, maxMs: 130 },
    { route: '/über/東京/製品', renders: 300, failed: 0, meanMs: 25, maxMs: 60 },
  ],
  history: Array.from({ length: SECONDS }, (_, at) => sampleAt(at)),
};

function sampleAt(at: number): Sample {
  const isOverloaded = at >= SECONDS - 60;
  const wave = Math.round(40 * (1 + Math.sin(at / 17)));
  return {
    timeMs: NOW_MS - (SECONDS - at) * 1000,
    requests: {
      hit: 300 + wave,
      stale: at % 5,
      miss: isOverloaded ? 90 : 10 + (at % 7),
      bypass: 0,
      file: 0,
    },
    renders: isOverloaded ? 40 : 10 + (at % 7),
    renderMs: isOverloaded ? 2400 : 200,
    queued: isOverloaded ? Math.min(32, at - (SECONDS - 60)) : 0,
    running: isOverloaded ? 8 : 1,
    shed: { stale: isOverloaded ? 4 : 0, csr: isOverloaded ? 30 : 0, unavailable: 0 },
    rssBytes: (280 + at / 2) * 1024 * 1024,
    cpuMs: isOverloaded ? 980 : 120 + wave,
  };
}

/** Text that a terminal could act on, in every place where a request's text may come. */
export const HOSTILE =
  'GET /\x1b]0;owned\x07\x1b[2J\x9b31m\r\n\u202egnp.\u2066x\u2069\x00\x7f\u{e0041}\ud800z' +
  '\u0301'.repeat(50);

export const HOSTILE_STATE: InspectorState = {
  ...RECORDED,
  buildId: HOSTILE,
  versions: { ngSsr: HOSTILE, node: HOSTILE },
  renders: { ...RECORDED.renders, inFlight: [{ name: HOSTILE, queuedMs: 1, sinceMs: 2 }] },
  routes: [{ route: HOSTILE, renders: 1, failed: 0, meanMs: 1, maxMs: 1 }],
};
