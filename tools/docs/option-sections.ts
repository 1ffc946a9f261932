/** The options of one function of the packages. */
export interface OptionSection {
  readonly title: string;
  readonly text: string;
  /** The interfaces that declare them; none for a function without options. */
  readonly types: readonly string[];
  /** Before the anchors of its options, of which other sections may have those of the same name. */
  readonly prefix: string;
  readonly isFeature?: true;
}

/** In the order of the page. */
export const OPTION_SECTIONS: readonly OptionSection[] = [
  {
    title: 'Server',
    text: 'For the servers, handlers, middleware and plugins of all adapters.',
    types: ['SsrOptions', 'AdapterOptions'],
    prefix: '',
  },
  {
    title: 'Express',
    text: 'Also for `createExpressSsrServer` and the `ssrMiddleware` of `@ng-ssr/express`.',
    types: ['ExpressSsrOptions'],
    prefix: 'express',
  },
  {
    title: 'Fastify',
    text: 'Also for `createFastifySsrServer`.',
    types: ['FastifySsrServerOptions'],
    prefix: 'fastify',
  },
  {
    title: 'Fetch',
    text: '`createFetchSsrHandler` takes these instead of the options with the same names above, and not `serveHits`.',
    types: ['FetchSsrOptions'],
    prefix: 'fetch',
  },
  {
    title: 'Platforms without Node',
    text: 'For `createNeutralSsrHandler` from `@ng-ssr/fetch/neutral`. It also takes `engine`, `trustProxyHeaders`, `routeRules`, `errorPages` and `onError` from above. See [Cloudflare Workers](deploy/workers.md).',
    types: ['NeutralOptions', 'NeutralSsrOptions'],
    prefix: 'neutral',
  },
  {
    title: 'withDictionaries',
    text: 'Sends public pages, scripts and styles as differences (RFC 9842). See [dictionaries](compression.md#compression-dictionaries).',
    types: [],
    prefix: 'withdictionaries',
    isFeature: true,
  },
  {
    title: 'withEarlyHints',
    text: 'Sends styles, fonts and scripts in a 103 response while the page renders. See [early hints](compression.md#early-hints).',
    types: [],
    prefix: 'withearlyhints',
    isFeature: true,
  },
  {
    title: 'withHeaders',
    text: 'Adds headers to all files, pages and errors; also without Node. See [security headers](recipes.md#security-headers).',
    types: [],
    prefix: 'withheaders',
    isFeature: true,
  },
  {
    title: 'withServerTiming',
    text: 'Reports waits for renders and API calls in Server-Timing, which every client can read; also without Node. See [observability](observability.md).',
    types: [],
    prefix: 'withservertiming',
    isFeature: true,
  },
  {
    title: 'withSpeculationRules',
    text: 'Browsers prefetch a page that needs no render when a visitor points at its link. See [render rules](render-rules.md#speculation-rules).',
    types: [],
    prefix: 'withspeculationrules',
    isFeature: true,
  },
  {
    title: 'listen',
    text: 'For `server.listen()` of servers on Node.',
    types: ['ListenOptions'],
    prefix: 'listen',
  },
  {
    title: 'withCalls',
    text: "For a rule of `withCalls()`: `features: [withCalls({ '/api/**': { inProcess: true } })]`. See [calls](calls.md).",
    types: ['CallRule'],
    prefix: 'withcalls',
    isFeature: true,
  },
  {
    title: 'withCalls, for all calls',
    text: 'The second argument of `withCalls()`.',
    types: ['CallsOptions'],
    prefix: 'withcalls-all',
  },
  {
    title: 'withInspector',
    text: 'See [the inspector](inspector.md).',
    types: ['InspectorOptions'],
    prefix: 'withinspector',
    isFeature: true,
  },
  {
    title: 'withNonce',
    text: 'See [security](security.md#content-security-policy-with-a-nonce).',
    types: ['NonceOptions'],
    prefix: 'withnonce',
    isFeature: true,
  },
  {
    title: 'withPublicConfig',
    text: '`withPublicConfig(config)` takes an object that every page contains and every visitor can read. See [public configuration](public-config.md).',
    types: [],
    prefix: 'withpublicconfig',
    isFeature: true,
  },
  {
    title: 'withEdge',
    text: '`withEdge(edge)` takes the CDN in front of the server: `varnishEdge()`, `fastlyEdge()`, `cloudflareEdge()` or `netlifyEdge()` from `@ng-ssr/edge`. See [CDN](cdn.md).',
    types: [],
    prefix: 'withedge',
    isFeature: true,
  },
  {
    title: 'withOldBuilds',
    text: 'See [deploys](deploys.md).',
    types: ['OldBuildsOptions'],
    prefix: 'witholdbuilds',
    isFeature: true,
  },
  {
    title: 'withPrewarm',
    text: 'See [pages at start](caching.md#pages-at-start).',
    types: ['PrewarmOptions'],
    prefix: 'withprewarm',
    isFeature: true,
  },
  {
    title: 'withLocales',
    text: 'See [locales](locales.md).',
    types: ['LocalesOptions'],
    prefix: 'withlocales',
    isFeature: true,
  },
  {
    title: 'withPurgeEndpoint',
    text: 'Also for platforms without Node. See [caching](caching.md).',
    types: ['PurgeEndpointOptions'],
    prefix: 'withpurgeendpoint',
    isFeature: true,
  },
  {
    title: 'withSharedStore',
    text: '`withSharedStore(store, options)` shares cached pages between processes. The store is `redisPageStore()`, `sqlitePageStore()`, `tieredPageStore()` or your own. See [caching](caching.md#several-processes).',
    types: ['SharedStoreOptions'],
    prefix: 'withsharedstore',
    isFeature: true,
  },
  {
    title: 'withSlots',
    text: 'Options of each slot, and `endpoint` of all: `withSlots({ cart: { fill } }, { endpoint: "/_slots" })`. Also for platforms without Node. See [slots](slots.md).',
    types: ['SlotOptions', 'SlotsOptions'],
    prefix: 'withslots',
    isFeature: true,
  },
  {
    title: 'withRenderThreads',
    text: 'Renders pages in threads. See [render threads](threads.md#render-threads).',
    types: ['RenderThreadsOptions'],
    prefix: 'withrenderthreads',
    isFeature: true,
  },
  {
    title: 'withServerThreads',
    text: 'Serves in several threads, on Linux or a BSD with Node 22.12. See [every core](threads.md#every-core).',
    types: ['ServerThreadsOptions'],
    prefix: 'withserverthreads',
    isFeature: true,
  },
  {
    title: 'withRequestLog',
    text: 'See [observability](observability.md).',
    types: ['RequestLogOptions'],
    prefix: 'withrequestlog',
    isFeature: true,
  },
  {
    title: 'Engines',
    text: 'For `appEngine` and `commonEngine`. `angularAppEngine` takes only `failOnError`.',
    types: ['EngineOptions'],
    prefix: 'engine',
  },
  {
    title: 'commonEngine',
    text: 'Only for `commonEngine`.',
    types: ['CommonEngineOptions'],
    prefix: 'commonengine',
  },
  {
    title: 'redisPageStore',
    text: 'From [@ng-ssr/redis](../packages/redis/README.md). `redisBuildStore()` takes `url`, `cluster`, `sentinel`, `prefix`, `timeoutMs` (default 250) and `client`.',
    types: ['RedisPageStoreOptions'],
    prefix: 'redispagestore',
  },
  {
    title: 'sqlitePageStore',
    text: 'From [@ng-ssr/sqlite](../packages/sqlite/README.md).',
    types: ['SqlitePageStoreOptions'],
    prefix: 'sqlitepagestore',
  },
  {
    title: 'tieredPageStore',
    text: 'From [@ng-ssr/tiered-store](../packages/tiered-store/README.md).',
    types: ['TieredPageStoreOptions'],
    prefix: 'tieredpagestore',
  },
  {
    title: 'folderBodies',
    text: 'From [@ng-ssr/tiered-store](../packages/tiered-store/README.md), for `bodies` of `tieredPageStore()`.',
    types: ['FolderBodiesOptions'],
    prefix: 'folderbodies',
  },
  {
    title: 's3Bodies',
    text: 'From [@ng-ssr/tiered-store](../packages/tiered-store/README.md), for `bodies` of `tieredPageStore()`.',
    types: ['S3BodiesOptions'],
    prefix: 's3bodies',
  },
  {
    title: 'Edges',
    text: 'For `varnishEdge`, `fastlyEdge`, `cloudflareEdge` and `netlifyEdge` from [@ng-ssr/edge](../packages/edge/README.md). See [CDN](cdn.md).',
    types: ['EdgeOptions'],
    prefix: 'edge',
  },
  { title: 'varnishEdge', text: '', types: ['VarnishEdgeOptions'], prefix: 'varnishedge' },
  { title: 'fastlyEdge', text: '', types: ['FastlyEdgeOptions'], prefix: 'fastlyedge' },
  { title: 'cloudflareEdge', text: '', types: ['CloudflareEdgeOptions'], prefix: 'cloudflareedge' },
  { title: 'netlifyEdge', text: '', types: ['NetlifyEdgeOptions'], prefix: 'netlifyedge' },
  {
    title: 'withSkewRecovery',
    text: 'From [@ng-ssr/angular](../packages/angular/README.md).',
    types: ['SkewRecoveryOptions'],
    prefix: 'withskewrecovery',
  },
];
