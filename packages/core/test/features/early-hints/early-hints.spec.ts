import { expect, test } from 'vitest';
import { type SsrOptions, withEarlyHints } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { writeBuiltSite } from '../../built-site.ts';
import { plainExchange } from '../../plain-exchange.ts';

const NAVIGATION = { 'sec-fetch-mode': 'navigate' };
const STYLES = '</styles-ABC.css>; rel=preload; as=style';
const MAIN = '</chunk-MAIN.js>; rel=modulepreload';
const moduleOf = (name: string) => `<link rel="modulepreload" href="chunk-${name}.js">`;
const hintOf = (name: string) => `</chunk-${name}.js>; rel=modulepreload`;

const DOCUMENT = `<!doctype html><html><head><base href="/">
  <link rel="icon" href="favicon.ico">
  <link rel="modulepreload" href="chunk-MAIN.js">
  <link rel="stylesheet" href="styles-ABC.css">
</head><body><app-root></app-root></body></html>`;

/** The files of a build with this document. */
const build = (document = DOCUMENT, folder = '') => ({
  [`browser/${folder}index.csr.html`]: document,
  [`browser/${folder}styles-ABC.css`]: 'html{}',
  [`browser/${folder}media/serif.woff2`]: 'font',
  ...Object.fromEntries(
    ['MAIN', 'HOME', 'LIST', 'PRODUCT', 'ADMIN'].map((name) => [
      `browser/${folder}chunk-${name}.js`,
      'export {};',
    ]),
  ),
});

/** A page as Angular writes it: the modules of its route at the end. */
const pageOf = (links: string, document = DOCUMENT) =>
  document.replace('</body>', `${links}</body>`);

interface Site {
  /** By path, without the query. */
  readonly pages: Readonly<Record<string, string | (() => Response)>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<SsrOptions>;
}

/** A handler whose engine renders the pages; `hints` requests one and returns what was sent before it. */
function start({ pages, files = build(), options }: Site) {
  const handler = new SsrHandler({
    engine: ({ url }) => {
      const page = pages[new URL(url).pathname];
      if (typeof page === 'function') return page();
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      return page === undefined ? null : new Response(page, { headers });
    },
    allowedHosts: ['localhost'],
    files: { folder: writeBuiltSite(files) },
    features: [withEarlyHints()],
    ...options,
  });
  const hints = async (
    target: string,
    headers: Readonly<Record<string, string>> = NAVIGATION,
    method = 'GET',
  ): Promise<readonly string[] | undefined> => {
    const sent: (readonly string[])[] = [];
    const exchange = {
      ...plainExchange(target, headers, method),
      earlyHints: (links: readonly string[]) => void sent.push(links),
    };
    if (handler.answer(exchange) === undefined) await handler.render(exchange);
    expect(sent.length).toBeLessThanOrEqual(1);
    return sent[0];
  };
  return { handler, hints };
}

test('the first page has the hints of the built document, styles before modules', async () => {
  const { hints } = start({ pages: { '/': DOCUMENT } });
  expect(await hints('/')).toEqual([STYLES, MAIN]);
});

test('a page has the hints of its last render', async () => {
  let links = moduleOf('HOME');
  const { hints } = start({
    pages: {
      '/': () => new Response(pageOf(links), { headers: { 'content-type': 'text/html' } }),
    },
  });
  await hints('/');
  expect(await hints('/?page=2')).toEqual([STYLES, MAIN, hintOf('HOME')]);
  links = moduleOf('LIST');
  await hints('/');
  expect(await hints('/')).toEqual([STYLES, MAIN, hintOf('LIST')]);
});

test('a page that was never rendered has what two others beside it have in common', async () => {
  const product = pageOf(moduleOf('PRODUCT'));
  const { hints } = start({
    pages: {
      '/products/1': product,
      '/products/2': pageOf(moduleOf('PRODUCT') + moduleOf('ADMIN')),
      '/products/3': product,
    },
  });
  await hints('/products/1');
  expect(await hints('/products/2')).toEqual([STYLES, MAIN]);
  expect(await hints('/products/3')).toEqual([STYLES, MAIN, hintOf('PRODUCT')]);
});

test('a page stored or built has no hints, fresh or stale', async () => {
  const { handler, hints } = start({
    files: { ...build(), 'browser/about/index.html': `<app-root ng-server-context="ssg">` },
    pages: { '/': DOCUMENT },
    options: { routeRules: { '/': { sMaxAge: 60, staleWhileRevalidate: 60 } } },
  });
  expect(await hints('/about')).toBeUndefined();
  expect(await hints('/styles-ABC.css')).toBeUndefined();
  expect(await hints('/')).toEqual([STYLES, MAIN]);
  expect(await hints('/')).toBeUndefined();
  await handler.cache.purge({ path: '/' });
  // Stale: answered by `render`, which starts the refresh.
  expect(await hints('/')).toBeUndefined();
});

test('all requests that wait for one render have hints', async () => {
  const { hints } = start({
    pages: { '/': DOCUMENT },
    options: { routeRules: { '/': { sMaxAge: 60 } } },
  });
  const sent = await Promise.all([hints('/'), hints('/'), hints('/')]);
  expect(sent).toEqual([
    [STYLES, MAIN],
    [STYLES, MAIN],
    [STYLES, MAIN],
  ]);
});

test.each<[string, Record<string, string>, string?]>([
  ['that does not say what it is', {}],
  ['that fetches', { 'sec-fetch-mode': 'cors' }],
  ['that has the page, by tag', { ...NAVIGATION, 'if-none-match': '"tag"' }],
  ['that has the page, by date', { ...NAVIGATION, 'if-modified-since': new Date().toUTCString() }],
  ['that asks for the headers', NAVIGATION, 'HEAD'],
  ['that posts', NAVIGATION, 'POST'],
  ['of another host', { ...NAVIGATION, host: 'other.example' }],
])('a client %s gets no hints', async (_name, headers, method) => {
  const { hints } = start({ pages: { '/': DOCUMENT } });
  expect(await hints('/', headers, method)).toBeUndefined();
});

test('without the feature no hints are sent', async () => {
  const { hints } = start({ pages: { '/': DOCUMENT }, options: { features: [] } });
  expect(await hints('/')).toBeUndefined();
});

test('pages that are never stored have hints', async () => {
  const pages = { '/': pageOf(moduleOf('HOME')), '/own': pageOf(moduleOf('LIST')) };
  for (const options of [{ cache: false }, { routeRules: { '/**': { cache: false } } }] as const) {
    const { hints } = start({ pages, options });
    await hints('/');
    expect(await hints('/')).toEqual([STYLES, MAIN, hintOf('HOME')]);
  }
});

test('links of a client stay with the client: only those of the build are learned', async () => {
  const own = [
    '<link rel="stylesheet" href="/user/ada.css?token=secret">',
    '<link rel="stylesheet" href="styles-ABC.css?user=ada">',
    '<link rel="stylesheet" href="styles-ABC.css#ada">',
    '<link rel="stylesheet" href="%73tyles-ABC.css">',
    '<link rel="stylesheet" href="https://ada.example/own.css">',
    '<link rel="stylesheet" href="https://localhost/styles-ABC.css">',
    '<link rel="stylesheet" href="//ada.example/styles-ABC.css">',
    '<link rel="stylesheet" href="https://ada:secret@cdn.example/site.css">',
    '<link rel="preconnect" href="https://ada.example">',
    '<link rel="modulepreload" href="chunk-ADA.js">',
    '<link rel="modulepreload" href="styles-ABC.css">',
    '<link rel="modulepreload" href="chunk-HOME.js" integrity="sha384-ada">',
    `<link rel="modulepreload" href="chunk-LIST.js" integrity="sha384-${'a'.repeat(64)}">`,
    '<link rel="preload" as="font" href="media/ada.woff2">',
    '<link rel="preload" as="fetch" href="/api/ada">',
    '<link rel="stylesheet" href="javascript:ada()">',
    '<link rel="stylesheet" href="data:text/css,ada">',
  ].join('');
  const { hints } = start({ pages: { '/user': pageOf(own) } });
  await hints('/user', { ...NAVIGATION, cookie: 'user=ada' });
  expect(await hints('/user')).toEqual([STYLES, MAIN]);
});

test('a text that no header may contain is never sent', async () => {
  const hostile = [
    ...['a.css>; rel=preload, <b.css', 'a.css\r\nSet-Cookie: a=b', 'a.css\n', 'a\0.css', 'ä.css'],
    ...['"a".css', "'a'.css", 'a b.css', 'a;b,c.css', 'http://[', '//', ''],
  ];
  const links = hostile.map(
    (href) => `<link rel="stylesheet" href="${href.replaceAll('"', '&quot;')}">`,
  );
  // Even from the build's own document.
  const { hints } = start({
    files: build(pageOf(links.join(''))),
    pages: { '/': pageOf(links.join('')) },
  });
  for (let i = 0; i < 2; i++) {
    const sent = await hints('/');
    for (const hint of sent!) expect(hint).toMatch(/^<[!#-;=?-~]+>; rel=[\w;= ]+$/);
    expect(sent).toContain(STYLES);
    expect(sent!.join()).not.toContain('<b.css');
  }
});

test('malformed tags are read as nothing, and a page of tags with bounded work', async () => {
  const odd = [
    '<link',
    '<link>',
    '<link rel>',
    '<link rel=stylesheet>',
    '<link rel="stylesheet" href>',
    '<linkrel="stylesheet" href="a.css">',
    `<link ${'a '.repeat(10_000)}>`,
    `<link rel="stylesheet" href="${'a'.repeat(10_000)}.css">`,
    '<link rel="stylesheet" href="a.css',
  ];
  const before = process.cpuUsage();
  for (const tag of [...odd, odd.join('').repeat(50)]) {
    const { hints } = start({ pages: { '/': tag + DOCUMENT } });
    await hints('/');
    expect((await hints('/')) ?? []).not.toContain(expect.stringContaining('a.css'));
  }
  // The process's own time: other processes of a busy machine do not count.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2000);
});

test('links have the parameters with which the page loads them', async () => {
  const integrity = `sha384-${'a'.repeat(64)}`;
  const document = DOCUMENT.replace(
    '</head>',
    `<link rel="preconnect" href="https://fonts.gstatic.com" crossorigin>
    <link rel='stylesheet' href='https://fonts.example/css?family=Serif&amp;display=swap'>
    <link rel=preload as=font type=font/woff2 href=media/serif.woff2 crossorigin=anonymous>
    <link rel="stylesheet" href="//cdn.example/site.css" crossorigin="use-credentials">
    <link rel="modulepreload" href="chunk-HOME.js" integrity="${integrity}">
    <link rel="stylesheet" href="paper.css" media="print"></head>`,
  );
  const { hints } = start({ files: build(document), pages: { '/': document } });
  const all = [
    '<https://fonts.gstatic.com/>; rel=preconnect; crossorigin',
    STYLES,
    '<https://fonts.example/css?family=Serif&display=swap>; rel=preload; as=style',
    '<//cdn.example/site.css>; rel=preload; as=style; crossorigin=use-credentials',
    '</media/serif.woff2>; rel=preload; as=font; type=font/woff2; crossorigin',
    MAIN,
    `</chunk-HOME.js>; rel=modulepreload; integrity="${integrity}"`,
  ];
  expect(await hints('/')).toEqual(all);
  expect(await hints('/')).toEqual(all);
});

test('module scripts are hinted first of the modules, other scripts are not', async () => {
  const document = pageOf(
    `<script src="polyfills.js"></script><script type="module">import './chunk-HOME.js'</script>
    <script src="chunk-LIST.js" type="module" crossorigin></script>
    <script src="/user/ada.js?token=secret" type="module"></script>`,
  );
  const { hints } = start({
    files: build(document.replace('/user/ada.js', 'main.js')),
    pages: { '/': document },
  });
  const list = '</chunk-LIST.js>; rel=modulepreload; crossorigin';
  expect(await hints('/')).toEqual([
    STYLES,
    list,
    '</main.js?token=secret>; rel=modulepreload',
    MAIN,
  ]);
  expect(await hints('/')).toEqual([STYLES, list, MAIN]);
});

test('styles that wait for critical CSS are hinted', async () => {
  const critical = DOCUMENT.replace(
    '<link rel="stylesheet" href="styles-ABC.css">',
    `<style>html{}</style><link rel="stylesheet" href="styles-ABC.css" media="print" onload="this.media='all'">
    <noscript><link rel="stylesheet" href="styles-ABC.css"></noscript>`,
  );
  const { hints } = start({ files: build(critical), pages: { '/': critical } });
  expect(await hints('/')).toEqual([STYLES, MAIN]);
  expect(await hints('/')).toEqual([STYLES, MAIN]);
});

test('links are resolved against the base href of the document', async () => {
  const shop = DOCUMENT.replace('<base href="/">', '<base href="/shop/">');
  const { hints } = start({
    files: build(shop),
    pages: { '/shop/list': pageOf(moduleOf('LIST'), shop) },
  });
  const below = [
    '</shop/styles-ABC.css>; rel=preload; as=style',
    '</shop/chunk-MAIN.js>; rel=modulepreload',
  ];
  expect(await hints('/shop/list')).toEqual(below);
  expect(await hints('/shop/list')).toEqual([...below, '</shop/chunk-LIST.js>; rel=modulepreload']);
});

test('each locale has the hints of its own document', async () => {
  const german = DOCUMENT.replace('<base href="/">', '<base href="/de/">');
  const { hints } = start({
    files: { ...build(), ...build(german, 'de/') },
    pages: { '/de/': german, '/de/list': pageOf(moduleOf('LIST'), german), '/list': DOCUMENT },
  });
  expect(await hints('/list')).toEqual([STYLES, MAIN]);
  const own = [
    '</de/styles-ABC.css>; rel=preload; as=style',
    '</de/chunk-MAIN.js>; rel=modulepreload',
  ];
  expect(await hints('/de/list')).toEqual(own);
  expect(await hints('/de/list')).toEqual([...own, '</de/chunk-LIST.js>; rel=modulepreload']);
});

test('only pages are learned from, not errors, redirects or other content', async () => {
  const page = pageOf(moduleOf('HOME'));
  const html = { 'content-type': 'text/html' };
  const { hints } = start({
    pages: {
      '/gone': () => new Response(page, { status: 404, headers: html }),
      '/feed': () => new Response(page, { headers: { 'content-type': 'text/plain' } }),
      '/moved': () => new Response(null, { status: 302, headers: { location: '/' } }),
      '/failed': () => {
        throw new Error('the page has failed');
      },
    },
    options: { onError: () => undefined },
  });
  for (const path of ['/gone', '/feed', '/moved', '/failed']) {
    await hints(path);
    expect(await hints(path)).toEqual([STYLES, MAIN]);
  }
});

test('a build without a document of its own has the hints that were learned', async () => {
  const { 'browser/index.csr.html': _document, ...files } = build();
  const { hints } = start({ files, pages: { '/': pageOf(moduleOf('HOME')) } });
  expect(await hints('/')).toBeUndefined();
  expect(await hints('/')).toEqual([STYLES, MAIN, hintOf('HOME')]);
});

test('the memory of paths and the length of a 103 are bounded', async () => {
  const many = Array.from({ length: 200 }, (_, i) => [
    `browser/chunk-${i}${'x'.repeat(90)}.js`,
    '',
  ]);
  const links = many.map(([path]) => `<link rel="modulepreload" href="${path!.slice(8)}">`);
  const { hints } = start({
    files: { ...build(), ...Object.fromEntries(many) },
    pages: new Proxy<Record<string, string>>(
      {},
      { get: (_, path) => (path === '/first' ? pageOf(links.join('')) : DOCUMENT) },
    ),
  });
  await hints('/first');
  const long = await hints('/first');
  expect(long!.slice(0, 2)).toEqual([STYLES, MAIN]);
  expect(long!.join(', ').length).toBeLessThanOrEqual(3000);
  expect(long!.length).toBeGreaterThan(10);
  for (let i = 0; i < 500; i++) await hints(`/p/${i}`, {});
  expect(await hints('/first')).toEqual([STYLES, MAIN]);
});
