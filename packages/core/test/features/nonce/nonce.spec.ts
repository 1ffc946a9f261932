import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import {
  type EngineSetup,
  type Feature,
  type SsrOptions,
  withNonce,
  withSharedStore,
} from '@ng-ssr/core';
import { expectRefused, type Refusal } from '../../options/refused-options.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { advance, until, useClock } from '../../pages/clock.ts';
import { Shelf } from '../shared-store/fake-page-store.ts';
import { type Seen, storedServer, type StoredServer, toSeen } from '../../pages/stored-server.ts';

useClock();

const PLACEHOLDER = 'bm9uY2UtaGVyZQ';
const POLICY = `script-src 'nonce-${PLACEHOLDER}' 'self'; style-src 'nonce-${PLACEHOLDER}'`;
const NONCE: Partial<SsrOptions> = {
  features: [withNonce({ placeholder: PLACEHOLDER, policy: POLICY })],
};
const SHARED = { 'content-type': 'text/html', 'cache-control': 's-maxage=60' };

function pageWith(nonce: string): string {
  return `<app-root ngcspnonce="${nonce}"><style nonce="${nonce}">a{}</style><script nonce="${nonce}">1</script></app-root>`;
}

/** What an engine's document is marked with. */
function secretOf(setup: EngineSetup | undefined): string {
  return setup?.nonce?.secret ?? PLACEHOLDER;
}

/** The one nonce of an answer, which its page and its policy have in every place. */
function nonceOf(answer: Seen): string {
  const inPage = [...answer.text.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce!);
  const inPolicy = [...answer.header('content-security-policy')!.matchAll(/'nonce-([^']*)'/g)].map(
    ([, nonce]) => nonce!,
  );
  expect(inPage).toHaveLength(3);
  expect(inPolicy).toHaveLength(2);
  const all = new Set([...inPage, ...inPolicy]);
  expect(all.size).toBe(1);
  const [nonce] = all;
  // 128 bits at least, in base64.
  expect(nonce).toMatch(/^[\w+/=-]{22,}$/);
  expect(nonce).not.toBe(PLACEHOLDER);
  return nonce!;
}

/** A build whose home page has a nonce. */
const writeHome = (): string =>
  writeBuiltSite({ 'browser/index.html': prerendered(pageWith(PLACEHOLDER)) });

function withPlaceholder(
  headers: Readonly<Record<string, string>> = SHARED,
  options = NONCE,
): StoredServer {
  return storedServer(
    (_request, _count, _context, setup) => new Response(pageWith(secretOf(setup)), { headers }),
    options,
  );
}

it('Content-Security-Policy section 6.7: every answer has a nonce of its own, and one render', async () => {
  const server = withPlaceholder();
  const nonces = new Set<string>();
  for (let i = 0; i < 50; i++) nonces.add(nonceOf(await server.get('/p')));
  expect(nonces.size).toBe(50);
  expect(server.requests).toHaveLength(1);
});

it('Content-Security-Policy section 6.7: so has each request that waited for one render', async () => {
  const server = storedServer(async (_request, _count, _context, setup) => {
    await new Promise((resolve) => setImmediate(resolve));
    return new Response(pageWith(secretOf(setup)), { headers: SHARED });
  }, NONCE);
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.get('/p')));
  expect(new Set(answers.map(nonceOf)).size).toBe(20);
  expect(server.requests).toHaveLength(1);
});

it('a page with a nonce is never stored by others, nor a 304, a part or encoded', async () => {
  const server = withPlaceholder({
    ...SHARED,
    etag: '"own"',
    'last-modified': 'Fri, 20 Nov 2026 11:00:00 GMT',
    expires: 'Fri, 20 Nov 2026 13:00:00 GMT',
    'cdn-cache-control': 'max-age=60',
  });
  for (let i = 0; i < 5; i++) {
    const answer = await server.get('/p', {
      'accept-encoding': 'gzip, br',
      'if-none-match': '*, "own"',
      'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT',
      range: 'bytes=0-9',
    });
    expect(answer.status).toBe(200);
    expect(answer.header('cache-control')).toBe('private, no-store');
    expect(answer.header('content-length')).toBe(String(answer.body!.byteLength));
    const names = [
      'etag',
      'last-modified',
      'expires',
      'age',
      'content-encoding',
      'cdn-cache-control',
    ];
    for (const name of names) expect(answer.header(name), name).toBeUndefined();
    nonceOf(answer);
  }
  expect(server.requests).toHaveLength(1);
  expect((await server.get('/p')).cache).toBe('hit; ttl=60');
});

it.each(['s-maxage=60', 'private'])(
  'HEAD of a page with a nonce and %s has the headers of GET',
  async (cacheControl) => {
    const server = withPlaceholder({ ...SHARED, 'cache-control': cacheControl });
    for (let i = 0; i < 2; i++) {
      const head = await server.get('/p', {}, 'HEAD');
      const get = await server.get('/p');
      expect(head.body).toBeNull();
      expect(head.header('cache-control')).toBe('private, no-store');
      expect(head.header('content-length')).toBe(get.header('content-length'));
      for (const name of ['etag', 'last-modified']) expect(head.header(name)).toBeUndefined();
      expect(head.header('content-security-policy')).toMatch(/'nonce-/);
    }
  },
);

it('a status that middleware has set stays on a page with a nonce', async () => {
  const server = withPlaceholder();
  await server.get('/p');
  const answer = await server.ask({ ...plainExchange('/p'), status: 503 });
  expect(answer.status).toBe(503);
  nonceOf(answer);
});

it.each([204, 205, 304])(
  'a page with a nonce has no content under the status %i of middleware',
  async (status) => {
    const browserFolder = writeHome();
    const server = withPlaceholder(SHARED, { ...NONCE, files: { folder: browserFolder } });
    nonceOf(await server.get('/p'));
    for (const target of ['/', '/p', '/rendered']) {
      const answer = await server.ask({ ...plainExchange(target), status });
      expect(answer.status, target).toBe(status);
      expect(answer.body, target).toBeNull();
      expect(answer.header('content-length'), target).toBe(status === 205 ? '0' : undefined);
    }
  },
);

it.each([
  ['of HTML, which may hide the secret', { 'content-type': 'text/html' }],
  ['without a type', {}],
  [
    'with a policy to be filled',
    { 'content-type': 'application/json', 'content-security-policy': POLICY },
  ],
])('content that the engine has encoded is not sent: %s', async (_label, own) => {
  for (const encoding of ['gzip', 'br, gzip', 'x-own']) {
    const headers = { ...own, 'cache-control': 's-maxage=60', 'content-encoding': encoding };
    const server = storedServer(
      (_request, _count, _context, setup) =>
        new Response(gzipSync(pageWith(secretOf(setup))), { headers }),
      NONCE,
    );
    const answer = await server.get('/p');
    expect(answer.status, encoding).toBe(500);
    expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_NONCE_UNFILLED']);
  }
});

it('encoded content that is no page is sent as it is', async () => {
  const encoded = gzipSync('{}');
  const server = storedServer(
    () =>
      new Response(encoded, {
        headers: {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'cache-control': 's-maxage=60',
        },
      }),
    NONCE,
  );
  for (let i = 0; i < 2; i++) {
    const answer = await server.get('/p', { 'accept-encoding': 'gzip' });
    expect(answer.status).toBe(200);
    expect(answer.header('content-encoding')).toBe('gzip');
    expect(Buffer.from(answer.body!).equals(encoded)).toBe(true);
  }
});

it('pages that are not stored have nonces too', async () => {
  for (const cacheControl of ['private', 'no-store', 'max-age=0']) {
    const server = withPlaceholder({ ...SHARED, 'cache-control': cacheControl });
    const nonces = [nonceOf(await server.get('/p')), nonceOf(await server.get('/p'))];
    expect(new Set(nonces).size).toBe(2);
    expect((await server.get('/p')).header('cache-control')).toBe('private, no-store');
  }
});

it('error pages of the application have nonces too', async () => {
  for (const status of [404, 500]) {
    const server = storedServer(
      (_request, _count, _context, setup) =>
        new Response(pageWith(secretOf(setup)), { status, headers: SHARED }),
      NONCE,
    );
    for (let i = 0; i < 2; i++) {
      const answer = await server.get('/p');
      expect(answer.status).toBe(status);
      nonceOf(answer);
    }
  }
});

it('stale pages have new nonces', async () => {
  const headers = { ...SHARED, 'cache-control': 's-maxage=10, stale-while-revalidate=60' };
  const server = withPlaceholder(headers);
  const nonces = [nonceOf(await server.get('/p'))];
  advance(11);
  nonces.push(nonceOf(await server.get('/p')));
  await until(() => server.requests.length === 2);
  nonces.push(nonceOf(await server.get('/p')));
  expect(new Set(nonces).size).toBe(3);
});

it('prerendered pages have nonces of their own', async () => {
  const browserFolder = writeHome();
  const server = storedServer(() => null, { ...NONCE, files: { folder: browserFolder } });
  await server.handler.ready();
  const nonces = new Set<string>();
  for (let i = 0; i < 5; i++) {
    nonces.add(nonceOf(await server.get('/', { 'accept-encoding': 'br', 'if-none-match': '*' })));
  }
  expect(nonces.size).toBe(5);
});

it('a page with the placeholder outside HTML, or without it, is left as it is', async () => {
  for (const [type, text] of [
    ['application/json', pageWith(PLACEHOLDER).replaceAll('nonce="', 'x="')],
    ['text/html', '<p>no nonce</p>'],
  ] as const) {
    const headers = { ...SHARED, 'content-type': type };
    const server = storedServer(() => new Response(text, { headers }), NONCE);
    await server.get('/p');
    const answer = await server.get('/p');
    expect([answer.isHit, answer.text]).toEqual([true, text]);
    expect(answer.header('content-security-policy')).toBeUndefined();
    expect(answer.header('cache-control')).toBe('s-maxage=60');
  }
});

it("a page's own policy gives way to the one with the nonce", async () => {
  const server = withPlaceholder({ ...SHARED, 'content-security-policy': "default-src 'none'" });
  const answer = await server.get('/p');
  expect(answer.header('content-security-policy')).not.toContain('default-src');
  nonceOf(answer);
});

it('text that looks like a pattern of a replacement is put in as it is', async () => {
  // `$&` in a replacement would be what was found.
  const server = withPlaceholder(SHARED, {
    features: [withNonce({ placeholder: PLACEHOLDER, policy: `${POLICY}; report-uri /$&/$1` })],
  });
  expect((await server.get('/p')).header('content-security-policy')).toMatch(/\/\$&\/\$1$/);
});

const STRANGE: readonly string[] = [
  pageWith('cmFuZG9tLW9uZQ'),
  '<script nonce="cmFuZG9t">1</script>',
  "<script nonce='cmFuZG9t'>1</script>",
  '<script nonce=cmFuZG9t>1</script>',
  '<script NONCE="cmFuZG9t">1</script>',
  '<script\nnonce="cmFuZG9t">1</script>',
  '<script nonce = "cmFuZG9t">1</script>',
  '<script a="b"nonce="cmFuZG9t">1</script>',
  '<app-root ngCspNonce="cmFuZG9t"></app-root>',
  '<app-root ngcspnonce="cmFuZG9t"></app-root>',
  `<script nonce="${PLACEHOLDER}x">1</script>`,
  `<script nonce="x${PLACEHOLDER}">1</script>`,
];

it.each(STRANGE)(
  'a page with a nonce that was made for one answer is not stored: %s',
  async (text) => {
    for (const options of [{}, NONCE]) {
      const server = storedServer(() => new Response(text, { headers: SHARED }), options);
      for (let i = 0; i < 2; i++) expect((await server.get('/p')).cache).toContain('detail=nonce');
      expect(server.requests).toHaveLength(2);
    }
  },
);

it('a page whose own policy has a nonce is not stored', async () => {
  for (const name of ['content-security-policy', 'content-security-policy-report-only']) {
    const headers = { ...SHARED, [name]: "script-src 'nonce-cmFuZG9t'" };
    const server = storedServer(() => new Response('<p>page</p>', { headers }));
    expect((await server.get('/p')).cache).toBe('fwd=uri-miss; detail=nonce');
  }
});

it('without the feature a page with the placeholder is not stored', async () => {
  const server = withPlaceholder(SHARED, {});
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; detail=nonce');
});

it('a page that only speaks of nonces is stored', async () => {
  for (const text of [
    '<p>a nonce, announce="y", data-nonces="z"</p>',
    '<script>let nonce=crypto.randomUUID(),a=1<b; if(a>2)nonce = x</script>',
    '<p>write nonce=abc there</p>',
  ]) {
    const server = storedServer(() => new Response(text, { headers: SHARED }));
    expect((await server.get('/p')).cache, text).toBe('fwd=uri-miss; stored');
  }
});

/** Markup of a reader that knows what the build has put into its documents. */
const INJECTED = `<script nonce="${PLACEHOLDER}">steal()</script><b ngcspnonce='${PLACEHOLDER}'></b>`;

it.each([
  ['s-maxage=60', 200],
  ['private', 200],
  ['s-maxage=60', 404],
])(
  'markup that knows the placeholder never gets the nonce (%s, %i)',
  async (cacheControl, status) => {
    const server = storedServer(
      (_request, _count, _context, setup) =>
        new Response(pageWith(secretOf(setup)) + INJECTED, {
          status,
          headers: { ...SHARED, 'cache-control': cacheControl },
        }),
      NONCE,
    );
    for (let i = 0; i < 2; i++) {
      const answer = await server.get('/p');
      expect(answer.text).toContain(INJECTED);
      expect(answer.header('content-security-policy')).not.toContain(PLACEHOLDER);
      const own = /app-root ngcspnonce="([^"]*)"/.exec(answer.text)![1]!;
      expect(answer.header('content-security-policy')).toContain(`'nonce-${own}'`);
      expect(own).not.toBe(PLACEHOLDER);
    }
  },
);

it('a page whose engine has not put the nonce into its document is not sent', async () => {
  const server = storedServer(
    () => new Response(pageWith(PLACEHOLDER), { headers: SHARED }),
    NONCE,
  );
  const answer = await server.get('/p');
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain(PLACEHOLDER);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_NONCE_UNFILLED']);
});

it('the secret of the process is never sent: not in a header, nor in another type of content', async () => {
  let secret = '';
  const server = storedServer((request, _count, _context, setup) => {
    secret = secretOf(setup);
    return new URL(request.url).pathname === '/header'
      ? new Response('{}', { headers: { 'x-nonce': secret } })
      : new Response(JSON.stringify({ secret }), {
          headers: { 'content-type': 'application/json' },
        });
  }, NONCE);
  expect((await server.get('/header')).status).toBe(500);
  const json = await server.get('/json');
  expect(json.status).toBe(200);
  expect(json.text).not.toContain(secret);
});

it.each(['s-maxage=60', 'private'])(
  "a report-only policy has its answer's nonce (%s)",
  async (cacheControl) => {
    const name = 'content-security-policy-report-only';
    const server = storedServer(
      (_request, _count, _context, setup) =>
        new Response(pageWith(secretOf(setup)), {
          headers: {
            ...SHARED,
            'cache-control': cacheControl,
            [name]: `script-src 'nonce-${PLACEHOLDER}'; style-src 'nonce-${secretOf(setup)}'`,
          },
        }),
      NONCE,
    );
    for (let i = 0; i < 2; i++) {
      const answer = await server.get('/p');
      const nonce = nonceOf(answer);
      expect(answer.header(name)).toBe(`script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`);
    }
  },
);

it('so has the policy of a page without a nonce of its own', async () => {
  const name = 'content-security-policy-report-only';
  const headers = { ...SHARED, [name]: `script-src 'nonce-${PLACEHOLDER}'` };
  const server = storedServer(() => new Response('<p>page</p>', { headers }), NONCE);
  const seen = new Set<string>();
  for (let i = 0; i < 3; i++) seen.add((await server.get('/p')).header(name)!);
  expect(seen.size).toBe(3);
  expect([...seen].join()).not.toContain(PLACEHOLDER);
});

it('the CSR page that overload is answered with has a nonce of its own', async () => {
  const browserFolder = writeBuiltSite({ 'browser/index.csr.html': pageWith(PLACEHOLDER) });
  const server = storedServer(() => new Promise<never>(() => {}), {
    ...NONCE,
    files: { folder: browserFolder },
    render: { concurrency: 1, fallbacks: ['csr'] },
  });
  void server.get('/slow');
  const nonces = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const answer = await server.get('/p', { 'accept-encoding': 'br' });
    expect(answer.cache).toContain('detail=csr');
    expect(answer.header('cache-control')).toContain('no-store');
    nonces.add(nonceOf(answer));
  }
  expect(nonces.size).toBe(3);
});

it.each([{ maxFileBytes: 100 }, { maxBytes: 100 }])(
  'a prerendered page for which there is no room is rendered, not sent as it is: %j',
  async (bounds) => {
    const browserFolder = writeHome();
    const server = withPlaceholder(SHARED, {
      ...NONCE,
      files: { folder: browserFolder, ...bounds },
    });
    expect(server.handler.largeFile(plainExchange('/'))).toBeUndefined();
    expect(server.handler.largeFile(plainExchange('/index.html'))).toBeUndefined();
    nonceOf(await server.get('/'));
    expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_NONCE_UNFILLED']);
  },
);

it('of a built page only the attributes of its tags are filled', async () => {
  const text =
    `<script>document.write('<p nonce="${PLACEHOLDER}">')</script><!-- <p nonce="${PLACEHOLDER}"> -->` +
    `<p title='nonce="${PLACEHOLDER}"'>nonce="${PLACEHOLDER}"</p>`;
  const browserFolder = writeBuiltSite({
    'browser/index.html': prerendered(
      `${text}<style\nNONCE=${PLACEHOLDER}>a{}</style><script a='>' nonce='${PLACEHOLDER}'>1</script>`,
    ),
  });
  const server = storedServer(() => null, { ...NONCE, files: { folder: browserFolder } });
  const answer = await server.get('/');
  expect(answer.text).toContain(text);
  const policy = answer.header('content-security-policy')!;
  const nonce = /'nonce-([^']*)'/.exec(policy)![1]!;
  expect(answer.text).toContain(`<style\nNONCE="${nonce}">`);
  expect(answer.text).toContain(`<script a='>' nonce="${nonce}">`);
});

it('a page of a shared store is filled by processes with other secrets, and has none itself', async () => {
  const shelf = new Shelf();
  const name = 'content-security-policy-report-only';
  let secret = '';
  const first = storedServer(
    (_request, _count, _context, setup) => {
      secret = secretOf(setup);
      const headers = { ...SHARED, [name]: `script-src 'nonce-${secret}'` };
      return new Response(pageWith(secret) + INJECTED, { headers });
    },
    { features: [...NONCE.features!, withSharedStore(shelf.open())] },
  );
  await first.get('/p');
  await until(() => shelf.entries.size > 0);
  const [kept] = shelf.entries.values();
  const { entry } = kept!;
  expect('body' in entry && Buffer.from(entry.body).toString()).toContain('nonce=""');
  expect(JSON.stringify(entry) + Buffer.from('body' in entry ? entry.body : '').toString())
    .not //
    .toContain(secret);

  // A module of its own has a secret of its own, as a process has.
  vi.resetModules();
  const { SsrHandler } = await import('@ng-ssr/core/adapter');
  const core = await import('@ng-ssr/core');
  const options = { placeholder: PLACEHOLDER, policy: POLICY };
  const second = (features: readonly Feature[]) =>
    new SsrHandler({
      engine: () => new Response('rendered', { headers: SHARED }),
      allowedHosts: ['localhost'],
      files: { folder: first.handler.browserFolder },
      onError: () => undefined,
      features: [core.withSharedStore(shelf.open()), ...features],
    });
  const other = second([core.withNonce(options)]);
  const nonces = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const exchange = plainExchange('/p');
    const answer = toSeen((other.answer(exchange) ?? (await other.render(exchange)))!);
    expect(answer.text).toContain(INJECTED);
    const page = { ...answer, text: answer.text.replace(INJECTED, '') };
    nonces.add(nonceOf(page));
    expect(answer.header(name)).toBe(`script-src 'nonce-${nonceOf(page)}'`);
  }
  expect(nonces.size).toBe(3);

  const without = second([]);
  const answer = toSeen((await without.render(plainExchange('/p')))!);
  expect(answer.text).toBe('rendered');
});

const OPTIONS = { placeholder: PLACEHOLDER, policy: POLICY };

const WRONG: readonly Refusal[] = [
  [new Map(), 'withNonce', '[object Map]', 'an object'],
  [null, 'withNonce', 'null', 'an object'],
  [{ ...OPTIONS, placeholder: 'short' }, 'withNonce.placeholder', '"short"', 'base64'],
  [{ ...OPTIONS, placeholder: 'with "quotes"' }, 'withNonce.placeholder', '', 'base64'],
  [{ ...OPTIONS, placeholder: 7 }, 'withNonce.placeholder', '7', 'base64'],
  [{ ...OPTIONS, policy: "script-src 'self'" }, 'withNonce.policy', '"script', "'nonce-"],
  [{ ...OPTIONS, policy: `${POLICY}\n` }, 'withNonce.policy', '', 'header'],
  [{ ...OPTIONS, policy: `${POLICY}\u2026` }, 'withNonce.policy', '', 'header'],
  [{ placeholder: PLACEHOLDER }, 'withNonce.policy', 'missing', "'nonce-"],
];

it.each<Refusal>(WRONG)('withNonce(%j) is refused: %s', (options, ...named) => {
  expectRefused({ features: [withNonce(options as never)] }, ...named);
});
