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
    text: 'Of `createNodeSsrServer`, `createKoaSsrServer`, `createFastifySsrServer`, `createExpressSsrServer` and `createFetchSsrHandler`, and of the middleware and plugins for existing servers.',
    types: ['SsrOptions', 'AdapterOptions'],
    prefix: '',
  },
  {
    title: 'Express',
    text: 'Also of `createExpressSsrServer` and of the `ssrMiddleware` of `@ng-ssr/express`.',
    types: ['ExpressSsrOptions'],
    prefix: 'express',
  },
  {
    title: 'Fastify',
    text: 'Also of `createFastifySsrServer`.',
    types: ['FastifySsrServerOptions'],
    prefix: 'fastify',
  },
  {
    title: 'Fetch',
    text: 'Of `createFetchSsrHandler`, in place of those of the same name. It has no `hits`: your program decides where hits are answered.',
    types: ['FetchSsrOptions'],
    prefix: 'fetch',
  },
  {
    title: 'Platforms without Node',
    text: 'Of `createNeutralSsrHandler` of `@ng-ssr/fetch/neutral`, which also has `engine`, `trustProxyHeaders`, `routeRules`, `errorPages` and `onError` as above. See [Cloudflare Workers](deploy/workers.md).',
    types: ['NeutralOptions', 'NeutralSsrOptions'],
    prefix: 'neutral',
  },
  {
    title: 'withDictionaries',
    text: 'The feature `withDictionaries()`, for the option `features`, has no options. Public pages are sent as their difference to the home page, which the client has, and scripts and styles as that to those of the last build (Compression Dictionary Transport, RFC 9842). The home page must be cacheable: `staleWhileRevalidate` is enough. For scripts and styles pack the build with `ng-ssr pack --previous`. See [dictionaries](compression.md#compression-dictionaries).',
    types: [],
    prefix: 'withdictionaries',
  },
  {
    title: 'withEarlyHints',
    text: 'The feature `withEarlyHints()`, for the option `features`, has no options. A browser that waits for a render gets the styles, fonts and scripts of the page in advance, as 103 (Early Hints, RFC 8297). See [early hints](compression.md#early-hints).',
    types: [],
    prefix: 'withearlyhints',
  },
  {
    title: 'withServerTiming',
    text: 'The feature `withServerTiming()`, for the option `features`, also on platforms without Node, has no options. Answers that waited for a render state the wait as Server-Timing, and the calls of their page; every client can read it. See [observability](observability.md).',
    types: [],
    prefix: 'withservertiming',
  },
  {
    title: 'withSpeculationRules',
    text: 'The feature `withSpeculationRules()`, for the option `features`, has no options. HTML answers name speculation rules, with which browsers prefetch pages as a visitor points at their links. The rules, at `/_ng-ssr/speculation-rules.json`, list prerendered pages, and stored pages that are fresh, `public` and without a query: these cost no render. See [render rules](render-rules.md#speculation-rules).',
    types: [],
    prefix: 'withspeculationrules',
  },
  {
    title: 'listen',
    text: 'Of `server.listen()` of the servers on Node.',
    types: ['ListenOptions'],
    prefix: 'listen',
  },
  {
    title: 'withCalls',
    text: "Of a rule of the feature `withCalls()`, for the option `features`: `withCalls({ '/api/**': { inProcess: true } })`. See [calls](calls.md).",
    types: ['CallRule'],
    prefix: 'withcalls',
  },
  {
    title: 'withCalls, for all calls',
    text: 'The second argument of `withCalls()`.',
    types: ['CallsOptions'],
    prefix: 'withcalls-all',
  },
  {
    title: 'withInspector',
    text: 'Of the feature `withInspector()`, for the option `features`. See [the inspector](inspector.md).',
    types: ['InspectorOptions'],
    prefix: 'withinspector',
  },
  {
    title: 'withNonce',
    text: 'Of the feature `withNonce()`, for the option `features`. See [security](security.md#content-security-policy-with-a-nonce).',
    types: ['NonceOptions'],
    prefix: 'withnonce',
  },
  {
    title: 'withPublicConfig',
    text: 'The feature `withPublicConfig(config)`, for the option `features`, gets an object: what every page carries, for everybody to read. See [public configuration](public-config.md).',
    types: [],
    prefix: 'withpublicconfig',
  },
  {
    title: 'withEdge',
    text: 'The feature `withEdge(edge)`, for the option `features`, gets the CDN in front of the server: `varnishEdge()`, `fastlyEdge()`, `cloudflareEdge()` or `netlifyEdge()` of `@ng-ssr/edge`. See [CDN](cdn.md).',
    types: [],
    prefix: 'withedge',
  },
  {
    title: 'withOldBuilds',
    text: 'Of the feature `withOldBuilds()`, for the option `features`. See [deploys](deploys.md).',
    types: ['OldBuildsOptions'],
    prefix: 'witholdbuilds',
  },
  {
    title: 'withPrewarm',
    text: 'Of the feature `withPrewarm()`, for the option `features`. See [pages at start](caching.md#pages-at-start).',
    types: ['PrewarmOptions'],
    prefix: 'withprewarm',
  },
  {
    title: 'withLocales',
    text: 'Of the feature `withLocales()`, for the option `features`. See [locales](locales.md).',
    types: ['LocalesOptions'],
    prefix: 'withlocales',
  },
  {
    title: 'withPurgeEndpoint',
    text: 'Of the feature `withPurgeEndpoint()`, for the option `features`, also on platforms without Node. See [caching](caching.md).',
    types: ['PurgeEndpointOptions'],
    prefix: 'withpurgeendpoint',
  },
  {
    title: 'withSharedStore',
    text: 'Of the feature `withSharedStore(store)`, for the option `features`: a store of pages that processes share, asked after the memory of each. The store is `redisPageStore()`, `sqlitePageStore()` or your own. See [caching](caching.md#several-processes).',
    types: ['SharedStoreOptions'],
    prefix: 'withsharedstore',
  },
  {
    title: 'withRequestLog',
    text: 'Of the feature `withRequestLog()`, for the option `features`. See [observability](observability.md).',
    types: ['RequestLogOptions'],
    prefix: 'withrequestlog',
  },
  {
    title: 'Engines',
    text: 'Of `appEngine` and `commonEngine`; `angularAppEngine` has `failOnError` alone.',
    types: ['EngineOptions'],
    prefix: 'engine',
  },
  {
    title: 'commonEngine',
    text: 'Of `commonEngine` alone.',
    types: ['CommonEngineOptions'],
    prefix: 'commonengine',
  },
  {
    title: 'redisPageStore',
    text: 'Of [@ng-ssr/redis](../packages/redis/README.md). `redisBuildStore` has `url`, `prefix`, `timeoutMs` and `client`.',
    types: ['RedisPageStoreOptions'],
    prefix: 'redispagestore',
  },
  {
    title: 'sqlitePageStore',
    text: 'Of [@ng-ssr/sqlite](../packages/sqlite/README.md).',
    types: ['SqlitePageStoreOptions'],
    prefix: 'sqlitepagestore',
  },
  {
    title: 'Edges',
    text: 'Of `varnishEdge`, `fastlyEdge`, `cloudflareEdge` and `netlifyEdge` of [@ng-ssr/edge](../packages/edge/README.md). See [CDN](cdn.md).',
    types: ['EdgeOptions'],
    prefix: 'edge',
  },
  { title: 'varnishEdge', text: '', types: ['VarnishEdgeOptions'], prefix: 'varnishedge' },
  { title: 'fastlyEdge', text: '', types: ['FastlyEdgeOptions'], prefix: 'fastlyedge' },
  { title: 'cloudflareEdge', text: '', types: ['CloudflareEdgeOptions'], prefix: 'cloudflareedge' },
  { title: 'netlifyEdge', text: '', types: ['NetlifyEdgeOptions'], prefix: 'netlifyedge' },
  {
    title: 'withSkewRecovery',
    text: 'Of [@ng-ssr/angular](../packages/angular/README.md).',
    types: ['SkewRecoveryOptions'],
    prefix: 'withskewrecovery',
  },
];
