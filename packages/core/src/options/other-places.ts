/** As other frameworks mean it: the stale page is sent for any time, while one render replaces it. */
const UNLIMITED = 'sMaxAge: 60, staleWhileRevalidate: 31_536_000';
/** Lifetimes of other frameworks, with those of a rule. */
const LIFETIMES = { isr: UNLIMITED, swr: UNLIMITED, revalidate: UNLIMITED, ttl: 'sMaxAge: 60' };

/** By their name in full what to write in place of options of other objects or other frameworks. */
const PLACES: Readonly<Record<string, string>> = {
  port: 'server.listen({ port: 4000 })',
  host: "server.listen({ host: '127.0.0.1' })",
  trustProxy: "trustProxyHeaders: ['x-forwarded-host', 'x-forwarded-proto']",
  compression: "files: { encodings: ['br', 'zstd', 'gzip'] }",
  folder: "files: { folder: 'dist/shop/browser' }",
  browserFolder: "files: { folder: 'dist/shop/browser' }",
  maxBytes: 'cache: { maxBytes: 64 * 1024 * 1024 }',
  threads: 'features: [withServerThreads({ threads: 2 })]',
  workers: 'features: [withRenderThreads({ threads: 2 })]',
  concurrency: 'render: { concurrency: 16 }',
  timeoutMs: 'render: { timeoutMs: 30_000 }',
  maxWaitMs: 'render: { maxWaitMs: 10_000 }',
  sMaxAge: "routeRules: { '/products/**': { sMaxAge: 60 } }",
  maxAge: "routeRules: { '/products/**': { sMaxAge: 60, maxAge: 60 } }",
  'routeRules[path].maxage': 'maxAge: 60',
  ...Object.fromEntries(
    Object.entries(LIFETIMES).flatMap(([name, rule]) => {
      const inRules = `routeRules: { '/products/**': { ${rule} } }`;
      return [
        [`routeRules[path].${name}`, rule],
        [name, inRules],
        [`cache.${name}`, inRules],
      ];
    }),
  ),
  'routeRules[path].ssg': "RenderMode.Prerender in Angular's server routes",
  'routeRules[path].prerender': "RenderMode.Prerender in Angular's server routes",
};

/** A name with `[path]` in place of a pattern. */
export function toKind(name: string): string {
  const from = name.indexOf('[');
  const to = name.lastIndexOf(']');
  return from < 0 || to < from ? name : `${name.slice(0, from)}[path]${name.slice(to + 1)}`;
}

/** The text to write in place of an option that belongs elsewhere; undefined for others. */
export function otherPlaceOf(name: string): string | undefined {
  const kind = toKind(name);
  return Object.hasOwn(PLACES, kind) ? PLACES[kind] : undefined;
}
