/** The options of one function of the packages. */
export interface OptionSection {
  readonly title: string;
  readonly text: string;
  /** The interfaces that declare them; none for a function without options. */
  readonly types: readonly string[];
  /** Before the anchors of its options, of which other sections may have those of the same name. */
  readonly prefix: string;
}

/** In the order of the page. */
export const OPTION_SECTIONS: readonly OptionSection[] = [
  {
    title: 'Server',
    text: 'Options of `createNodeSsrServer`, `createKoaSsrServer`, `createFastifySsrServer`, `createExpressSsrServer` and `createFetchSsrHandler`, and of the middleware and plugins for existing servers.',
    types: ['SsrOptions', 'AdapterOptions'],
    prefix: '',
  },
  {
    title: 'Express',
    text: '`createExpressSsrServer` and the `ssrMiddleware` of `@ng-ssr/express` also take this option.',
    types: ['ExpressSsrOptions'],
    prefix: 'express',
  },
  {
    title: 'Fastify',
    text: '`createFastifySsrServer` also takes this option.',
    types: ['FastifySsrServerOptions'],
    prefix: 'fastify',
  },
  {
    title: 'Fetch',
    text: '`createFetchSsrHandler` takes these instead of the options with the same names above. It does not take `serveHits`: your program decides when hits are served.',
    types: ['FetchSsrOptions'],
    prefix: 'fetch',
  },
  {
    title: 'Platforms without Node',
    text: 'Options of `createNeutralSsrHandler` from `@ng-ssr/fetch/neutral`. It also takes `engine`, `trustProxyHeaders`, `routeRules`, `errorPages` and `onError` from above. See [Cloudflare Workers](deploy/workers.md).',
    types: ['NeutralOptions', 'NeutralSsrOptions'],
    prefix: 'neutral',
  },
  {
    title: 'withDictionaries',
    text: '`withDictionaries()` is a feature without options. It sends public pages as the difference to the home page, which the client already has, and scripts and styles as the difference to the previous build (Compression Dictionary Transport, RFC 9842). The home page must be cacheable: `staleWhileRevalidate` is enough. For scripts and styles, pack the build with `ng-ssr pack --previous`. See [dictionaries](compression.md#compression-dictionaries).',
    types: [],
    prefix: 'withdictionaries',
  },
  {
    title: 'withEarlyHints',
    text: '`withEarlyHints()` is a feature without options. While a browser waits for a render, it gets the styles, fonts and scripts of the page in a 103 response (Early Hints, RFC 8297). See [early hints](compression.md#early-hints).',
    types: [],
    prefix: 'withearlyhints',
  },
  {
    title: 'withServerTiming',
    text: '`withServerTiming()` is a feature without options. It also works on platforms without Node. Responses that waited for a render report the wait, and the API calls of their page, in Server-Timing. Every client can read it. See [observability](observability.md).',
    types: [],
    prefix: 'withservertiming',
  },
  {
    title: 'withSpeculationRules',
    text: '`withSpeculationRules()` is a feature without options. HTML responses point to speculation rules: browsers prefetch a page when a visitor points at its link. The rules, at `/_ng-ssr/speculation-rules.json`, list prerendered pages, and cached pages that are fresh, `public` and without a query, because these need no render. See [render rules](render-rules.md#speculation-rules).',
    types: [],
    prefix: 'withspeculationrules',
  },
  {
    title: 'listen',
    text: 'Options of `server.listen()` of servers on Node.',
    types: ['ListenOptions'],
    prefix: 'listen',
  },
  {
    title: 'withCalls',
    text: "Options of a rule of the feature `withCalls()`: `features: [withCalls({ '/api/**': { inProcess: true } })]`. See [calls](calls.md).",
    types: ['CallRule'],
    prefix: 'withcalls',
  },
  {
    title: 'withCalls, for all calls',
    text: 'Options that `withCalls()` takes as its second argument.',
    types: ['CallsOptions'],
    prefix: 'withcalls-all',
  },
  {
    title: 'withInspector',
    text: 'Options of the feature `withInspector()`. See [the inspector](inspector.md).',
    types: ['InspectorOptions'],
    prefix: 'withinspector',
  },
  {
    title: 'withNonce',
    text: 'Options of the feature `withNonce()`. See [security](security.md#content-security-policy-with-a-nonce).',
    types: ['NonceOptions'],
    prefix: 'withnonce',
  },
  {
    title: 'withPublicConfig',
    text: 'The feature `withPublicConfig(config)` takes an object that every page contains and everybody can read. See [public configuration](public-config.md).',
    types: [],
    prefix: 'withpublicconfig',
  },
  {
    title: 'withEdge',
    text: 'The feature `withEdge(edge)` takes the CDN in front of the server: `varnishEdge()`, `fastlyEdge()`, `cloudflareEdge()` or `netlifyEdge()` from `@ng-ssr/edge`. See [CDN](cdn.md).',
    types: [],
    prefix: 'withedge',
  },
  {
    title: 'withOldBuilds',
    text: 'Options of the feature `withOldBuilds()`. See [deploys](deploys.md).',
    types: ['OldBuildsOptions'],
    prefix: 'witholdbuilds',
  },
  {
    title: 'withPrewarm',
    text: 'Options of the feature `withPrewarm()`. See [pages at start](caching.md#pages-at-start).',
    types: ['PrewarmOptions'],
    prefix: 'withprewarm',
  },
  {
    title: 'withLocales',
    text: 'Options of the feature `withLocales()`. See [locales](locales.md).',
    types: ['LocalesOptions'],
    prefix: 'withlocales',
  },
  {
    title: 'withPurgeEndpoint',
    text: 'Options of the feature `withPurgeEndpoint()`, which also works on platforms without Node. See [caching](caching.md).',
    types: ['PurgeEndpointOptions'],
    prefix: 'withpurgeendpoint',
  },
  {
    title: 'withSharedStore',
    text: 'Options of the feature `withSharedStore(store)`. Processes share the cached pages of the store; each looks in its own memory first. The store is `redisPageStore()`, `sqlitePageStore()` or your own. See [caching](caching.md#several-processes).',
    types: ['SharedStoreOptions'],
    prefix: 'withsharedstore',
  },
  {
    title: 'withRequestLog',
    text: 'Options of the feature `withRequestLog()`. See [observability](observability.md).',
    types: ['RequestLogOptions'],
    prefix: 'withrequestlog',
  },
  {
    title: 'Engines',
    text: 'Options of `appEngine` and `commonEngine`. `angularAppEngine` takes only `failOnError`.',
    types: ['EngineOptions'],
    prefix: 'engine',
  },
  {
    title: 'commonEngine',
    text: 'Options that only `commonEngine` takes.',
    types: ['CommonEngineOptions'],
    prefix: 'commonengine',
  },
  {
    title: 'redisPageStore',
    text: 'Options of `redisPageStore()` from [@ng-ssr/redis](../packages/redis/README.md). `redisBuildStore()` takes `url`, `prefix`, `timeoutMs` and `client`.',
    types: ['RedisPageStoreOptions'],
    prefix: 'redispagestore',
  },
  {
    title: 'sqlitePageStore',
    text: 'Options of `sqlitePageStore()` from [@ng-ssr/sqlite](../packages/sqlite/README.md).',
    types: ['SqlitePageStoreOptions'],
    prefix: 'sqlitepagestore',
  },
  {
    title: 'Edges',
    text: 'Options of `varnishEdge`, `fastlyEdge`, `cloudflareEdge` and `netlifyEdge` from [@ng-ssr/edge](../packages/edge/README.md). See [CDN](cdn.md).',
    types: ['EdgeOptions'],
    prefix: 'edge',
  },
  { title: 'varnishEdge', text: '', types: ['VarnishEdgeOptions'], prefix: 'varnishedge' },
  { title: 'fastlyEdge', text: '', types: ['FastlyEdgeOptions'], prefix: 'fastlyedge' },
  { title: 'cloudflareEdge', text: '', types: ['CloudflareEdgeOptions'], prefix: 'cloudflareedge' },
  { title: 'netlifyEdge', text: '', types: ['NetlifyEdgeOptions'], prefix: 'netlifyedge' },
  {
    title: 'withSkewRecovery',
    text: 'Options of `withSkewRecovery()` from [@ng-ssr/angular](../packages/angular/README.md).',
    types: ['SkewRecoveryOptions'],
    prefix: 'withskewrecovery',
  },
];
