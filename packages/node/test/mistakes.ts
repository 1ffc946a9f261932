/** Common mistakes, with what a server says of them. Each message names the option, the value and how to fix it. */
import '@angular/compiler';
import { withCalls as callsOfCore } from '@ng-ssr/core';
import { fastlyEdge, varnishEdge } from '@ng-ssr/edge';
import { appEngine, commonEngine } from '@ng-ssr/engines';
import {
  createNodeSsrServer,
  type SsrError,
  withInspector,
  withPurgeEndpoint,
  withEdge,
  withCalls,
  withOldBuilds,
  withRenderThreads,
  withServerThreads,
  withSharedStore,
  withSlots,
} from '@ng-ssr/node/server';
import { redisPageStore } from '@ng-ssr/redis';
import { sqlitePageStore } from '@ng-ssr/sqlite';
import { folderBodies, s3Bodies, tieredPageStore } from '@ng-ssr/tiered-store';

const files = { folder: `${import.meta.dirname}/starts/browser` };
const create = (options: object) =>
  createNodeSsrServer({ engine: () => null, allowedHosts: ['shop.example'], files, ...options });
const server = (options: object) => () => create(options);
const listen = (options: unknown) => () => create({}).listen(options as object);

/** What a server reports that starts and gets a request. */
const reports = (options: object) => async () => {
  const errors: SsrError[] = [];
  const onError = (error: SsrError): void => void errors.push(error);
  const own = create({ allowedHosts: ['127.0.0.1'], onError, ...options });
  await own.ready();
  const { port } = await own.listen({ port: 0, announce: false, shutdown: false });
  await (await fetch(`http://127.0.0.1:${port}/offers`)).text();
  await own.close();
  return errors.filter(({ code }) => code !== 'NG_SSR_ADDON_UNAVAILABLE');
};

const inProduction = (start: () => Promise<readonly SsrError[]>) => async () => {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    return await start();
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
};

const callingEngine = async (): Promise<Response> => {
  const offers = await fetch('http://127.0.0.1:65500/offers').catch(() => undefined);
  return new Response(offers === undefined ? 'No offers today' : 'Offers');
};

const readOffers = async (): Promise<string> => (await fetch('/api/offers')).text();

const shop = Object.assign(() => new Response('Offers'), {
  constantPages: async () => ({ routes: ['/', '/products/*'], pages: [], find: () => undefined }),
});

/** Throws, or returns what is reported. */
export const MISTAKES: Readonly<Record<string, () => unknown>> = {
  // The server's options
  'no options': () => createNodeSsrServer(undefined as never),
  'a misspelt option': server({ alowedHosts: ['shop.example'] }),
  'an option that is a feature': server({ inspector: true }),
  'an option of listen': server({ port: 4804 }),
  'an option of renders outside of render': server({ workers: 4 }),
  'no engine': server({ engine: undefined }),
  'an engine that is not called': server({ engine: appEngine }),
  'a feature that is not called': server({ features: [withInspector] }),
  'a feature twice': server({ features: [withCalls({}), withCalls({})] }),
  'an object in place of a feature': server({ features: [{ serverTiming: {} }] }),
  'slots that are an option': server({ slots: {} }),
  'the trust of Express': server({ trustProxy: true }),
  'the hits of no server': server({ serveHits: 'before' }),
  'a host in place of a list': server({ allowedHosts: 'shop.example' }),
  'a host with its scheme': server({ allowedHosts: ['https://shop.example/'] }),
  'a header that is not one of a proxy': server({ trustProxyHeaders: ['x-real-ip'] }),
  'a misspelt proxy header': server({ trustProxyHeaders: ['x-forwarded-hots'] }),
  'a folder that is no text': server({ files: { folder: new URL('file:///srv') } }),
  'an error page that the build lacks': server({ errorPages: { 404: '/not-found' } }),
  'a probe that is no path': server({ probes: { live: 'healthz' } }),
  'an inspector whose token is missing': server({
    features: [withInspector({ path: '/inspector' })],
  }),
  'builds without a place': server({ features: [withOldBuilds({ keep: 3 } as never)] }),

  // Rules
  'a rule without a slash': server({ routeRules: { 'products/**': { sMaxAge: 60 } } }),
  'a rule with a wildcard inside': server({ routeRules: { '/**/edit': { cache: false } } }),
  'a rule with a regular expression': server({ routeRules: { '/products/:id(\\d+)': {} } }),
  'a rule with an origin': server({ routeRules: { 'https://shop.example/products': {} } }),
  'two rules for the same paths': server({
    routeRules: { '/products/*': { sMaxAge: 60 }, '/products/:id': { sMaxAge: 5 } },
  }),
  'a misspelt option of a rule': server({ routeRules: { '/products/**': { smaxage: 60 } } }),
  'seconds as text': server({ routeRules: { '/products/**': { sMaxAge: '60' } } }),
  'a time with its unit': server({ routeRules: { '/products/**': { sMaxAge: '1h' } } }),
  'a time that is too long': server({ routeRules: { '/products/**': { sMaxAge: 1e12 } } }),
  'an option of another framework': server({ routeRules: { '/products/**': { revalidate: 60 } } }),
  'a time for browsers alone': server({ routeRules: { '/products/**': { maxAge: 60 } } }),
  'an API without its scheme': server({ features: [withCalls({ 'cms.example/**': {} })] }),
  'a misspelt option of a rule for calls': server({
    features: [withCalls({ '/api/**': { timeout: 500 } as object })],
  }),
  'calls in process without what makes them': server({
    features: [callsOfCore({ '/api/**': { inProcess: true } })],
  }),
  'a call without time': server({ features: [withCalls({ '/api/**': { timeoutMs: 0 } })] }),

  // Renders and stored pages
  'too many render threads': server({ features: [withRenderThreads({ threads: 300 })] }),
  'too many server threads': server({ features: [withServerThreads({ threads: 300 })] }),
  'render threads that are an option': server({ render: { threads: 2 } }),
  'a misspelt option of renders': server({ render: { timeout: 5000 } }),
  'a size with its unit': server({ cache: { maxBytes: '64mb' } }),
  'a cache that is turned on': server({ cache: true }),
  'a misspelt option of the cache': server({ cache: { maxByte: 1e9 } }),
  'an option of the cache that is a feature': server({ cache: { purgeEndpoint: {} } }),
  'a purge endpoint whose token is missing': server({
    features: [withPurgeEndpoint({ path: '/purge', token: undefined })],
  }),
  'a token that is short': server({
    features: [withPurgeEndpoint({ path: '/purge', token: 's3cret' })],
  }),
  'an endpoint of slots that is a URL': server({
    features: [withSlots({ cart: { fill: () => 1 } }, { endpoint: 'https://shop.example/slots' })],
  }),
  'an endpoint among the slots': server({
    features: [withSlots({ cart: { fill: () => 1 }, endpoint: '/_slots' as never })],
  }),
  'a call of a slot without a slash': server({
    features: [withSlots({ cart: { call: 'api/cart' } })],
  }),
  'a call of another API without fill': server({
    features: [withSlots({ cart: { call: 'https://api.example/cart' } })],
  }),
  'a client in place of a store': server({
    features: [withSharedStore({ get: () => null } as never)],
  }),
  'a path in place of a purge': () => create({}).cache.purge('/products' as never),
  'a purge with another name': () => create({}).cache.purge({ tags: ['products'] } as never),
  'a path in place of a URL to refresh': () => create({}).cache.refresh({ urls: ['/products/1'] }),

  // listen
  'a port in place of options': listen(4804),
  'a misspelt option of listen': listen({ prot: 4804 }),
  'a port as text': listen({ port: '4804' }),
  'server threads that are an option': listen({ threads: 2 }),
  'a shutdown without time': listen({ shutdown: { timeoutMs: 0 } }),

  // Stores, edges and engines
  'a URL in place of options': () => redisPageStore('redis://cache.example' as never),
  'a misspelt option of a store': () => redisPageStore({ uri: 'redis://cache.example' } as never),
  'a URL in place of the addresses of a cluster': () =>
    redisPageStore({ cluster: ['redis://:secret@cache.example'] }),
  'a cluster beside a URL': () =>
    redisPageStore({ cluster: ['cache.example:6379'], url: 'redis://cache.example' }),
  'Sentinels without the name of the primary': () =>
    redisPageStore({ sentinel: { nodes: ['cache.example:26379'] } as never }),
  'a URL of something else': () => redisPageStore({ url: 'http://cache.example' }),
  'a file without a size': () => sqlitePageStore({ file: 'pages.db' } as never),
  'an index without bodies': () =>
    tieredPageStore({ index: sqlitePageStore({ file: 'pages.db', maxBytes: 2 ** 24 }) } as never),
  'a small folder of bodies': () => folderBodies({ folder: 'bodies', maxBytes: 1_000_000 }),
  'a bucket without an endpoint': () => s3Bodies({ bucket: 'shop-pages' } as never),
  'an edge without its address': () => varnishEdge({} as never),
  'an edge without its secret': server({
    features: [withEdge(fastlyEdge({ serviceId: 'SU1Z0isxPaozGVKXdv0eY', token: undefined }))],
  }),
  'a misspelt option of an engine': () => appEngine({ failOnErrors: true } as never),
  'null in place of the options of an engine': () => appEngine(null as never),
  'an option of an engine that cannot be read': () =>
    appEngine({
      get fast(): boolean {
        throw new Error('the settings are not loaded');
      },
    }),
  'an engine without its application': () => commonEngine({} as never),

  // What a running server reports
  'an engine that returns nothing': reports({ engine: () => undefined }),
  'an engine that returns text': reports({ engine: () => 'Offers' }),
  'a relative URL': reports({ engine: async () => new Response(await readOffers()) }),
  'a rule for no route': reports({ engine: shop, routeRules: { '/prodcuts/**': { sMaxAge: 60 } } }),
  'a slot for no route': reports({
    engine: shop,
    features: [withSlots({ cart: { routes: ['/prodcuts/**'], fill: () => 1 } })],
  }),
  'an API that does not run': reports({
    engine: callingEngine,
    features: [withCalls({ '**': {} })],
  }),
  'loopback hosts in production': inProduction(
    reports({ allowedHosts: ['127.0.0.1', 'localhost'] }),
  ),
};
