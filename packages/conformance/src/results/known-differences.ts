/** Responses in which adapters may differ from the reference, and why. */
export interface KnownDifference {
  /** The adapters' names, as in their results. */
  readonly names: readonly string[];
  /** The cases, by name or by pattern. */
  readonly cases: readonly string[] | RegExp;
  /**
   * The headers that may differ, and with them the content; the whole response when absent. A row with headers
   * covers differences that depend on versions, so it may also be without effect.
   */
  readonly headers?: readonly string[];
  /** The behaviour of the framework or the runtime. */
  readonly reason: string;
}

const URL_RUNTIMES = ['fetch', 'bun', 'elysia', 'h3', 'hono', 'hono, calls'];

/** Differences of the adapters from the reference; a row that no longer applies fails. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    names: ['bun', 'elysia', 'deno'],
    cases: /^(negotiation|rendered encodings|encoded files|ranges|head|middleware) › /,
    headers: ['etag', 'content-length', 'content-range'],
    reason: 'the runtime brings compressors of its own, of other versions than in Node',
  },
  {
    names: ['bun', 'elysia', 'deno', 'workerd'],
    cases: /^slots › /,
    headers: ['content-encoding', 'content-length', 'vary'],
    reason: 'the zlib of the runtime is another one, and may not leave an encoding open',
  },
  {
    names: ['bun', 'elysia', 'deno'],
    cases: /^slot endpoint › /,
    headers: ['content-length'],
    reason: 'the runtime adds the length of content that ends at once',
  },
  {
    names: ['bun', 'elysia'],
    cases: /^(large|encoded) files › /,
    headers: ['content-disposition'],
    reason: 'Bun adds the name of a file that it sends itself, where its type is not known',
  },
  {
    names: URL_RUNTIMES,
    cases: ['target › dot segments that stay inside are no failure'],
    reason: 'a Request has a URL, in which dot segments are resolved already',
  },
  {
    names: ['bun', 'elysia', 'deno', 'hono', 'hono, calls'],
    cases: ['target › * is refused'],
    reason: 'the server refuses the target itself, with a 400 of its own: it is no URL',
  },
  {
    names: ['bun', 'elysia', 'hono', 'hono, calls'],
    cases: /^methods › OPTIONS \* is refused for the host /,
    reason: 'the server refuses the target itself, with a 400 of its own: it is no URL',
  },
  {
    names: ['workerd'],
    cases: /./,
    headers: ['vary'],
    reason: 'the platform codes rendered pages, so they do not vary here',
  },
  {
    names: ['workerd'],
    cases: ['render rules › a page that is never rendered is the CSR page'],
    headers: ['speculation-rules'],
    reason: 'there is no withSpeculationRules()',
  },
  {
    names: ['workerd'],
    cases: [
      'slot endpoint › a prerendered page is the same for all, and its slots are of one client',
    ],
    reason: 'the element that names the endpoint is written into index.html by hand',
  },
  {
    names: ['workerd'],
    cases: /^large files › /,
    headers: ['etag', 'content-length', 'content-encoding', 'cache-status'],
    reason:
      'the platform keeps these files, and may encode them; their tags are those of the build',
  },
  {
    names: ['workerd'],
    cases: /^negotiation › /,
    headers: ['vary', 'etag', 'content-length', 'content-encoding'],
    reason: 'the platform codes rendered pages',
  },
  {
    names: ['workerd'],
    cases: ['target › https:/about is refused'],
    reason: 'the server answers what is no HTTP with a 400 of its own, where node:http has its own',
  },
  {
    names: ['deno', 'fastify'],
    cases: ['target › https:/about is refused', 'target › about is refused'],
    reason: 'the server answers what is no HTTP with a 400 of its own, where node:http has its own',
  },
  {
    names: ['h3'],
    cases: /^target › \/.*%.* is refused$/,
    reason: 'h3 refuses a malformed percent-encoding itself, with a 400 in JSON',
  },
  {
    names: ['hono', 'hono, calls'],
    cases: [
      'target › /\\evil is refused',
      'target › /about\\..\\..\\secret.txt is refused',
      'large files › a malformed host gets no large file',
      'host › a malformed Host is refused where every host is allowed',
      'host › a malformed Host is refused for POST',
      'forwarded › with trust a malformed Host is still refused',
      'asked hosts › a malformed host, and one of the build, are not asked for',
    ],
    reason: '@hono/node-server refuses what makes no URL itself, with a 400 without content',
  },
];
