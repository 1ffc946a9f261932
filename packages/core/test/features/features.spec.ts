import { type Feature, type SsrErrorCode, withCalls } from '@ng-ssr/core';
import { SsrError } from '@ng-ssr/core';
import {
  type Answer,
  type Extension,
  heldFile,
  type PageTrait,
  type FeatureRequest,
  type ServerCore,
} from '@ng-ssr/core/plug';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withMaintenancePage } from '../../../../examples/maintenance-page/with-maintenance-page.ts';
import { writeBuiltSite } from '../built-site.ts';
import { html, type Page, storedServer, type StoredServer } from '../pages/stored-server.ts';
import { inspectedServer } from './inspector/inspected-server.ts';

const page: Page = (_request, count) => html(`render ${count}`, { 'cache-control': 's-maxage=60' });

function serverWith(features: readonly Feature[]): StoredServer {
  const server = storedServer(page, { features });
  onTestFinished(() => server.handler.close());
  return server;
}

function feature(extension: Extension, name = 'own'): Feature {
  return { name, install: () => extension };
}

function text(body: string, status = 200): Answer {
  const bytes = Buffer.from(body);
  const headers = ['Content-Type', 'text/plain', 'Content-Length', String(bytes.byteLength)];
  return { status, headers, body: bytes };
}

const isOf =
  (path: string) =>
  ({ target }: FeatureRequest): boolean =>
    target === path;

function errorOf(features: unknown): SsrError {
  try {
    storedServer(page, { features: features as readonly Feature[] });
  } catch (error) {
    return error as SsrError;
  }
  throw new Error('the server was created');
}

it.each<[unknown, string]>([
  [{}, 'allowed: a list of features, as in [withInspector()]'],
  [[undefined], 'features[0] is missing; allowed: a feature'],
  [
    [withMaintenancePage],
    'features[0] is the function withMaintenancePage: call it, as in features: [withMaintenancePage()]',
  ],
  [
    [Object.defineProperty(() => feature({}), 'name', { value: 'Ed' })],
    'features[0] is a function: call it, as in features: [withInspector()]',
  ],
  [[{ name: '', install: () => ({}) }], 'features[0].name is ""'],
  [[{ name: 'a' }], 'features[0].install is missing; allowed: a function (core) => Extension'],
  [[{ ...feature({}), trait: () => ({}) }], 'features[0].trait is'],
  [[{ ...feature({}), trait: { keep: true } }], 'features[0].trait is'],
  [[{ ...feature({}), trait: { keeps: () => ({}) } }], 'Did you mean features[0].trait.keep?'],
  [[feature({ trait: {} } as never, 'a')], 'allowed: a trait beside install'],
  [[{ name: 'a', install: () => undefined }], 'the extension of a is missing; allowed: an object'],
  [[{ name: 'a', install: async () => ({}) }], 'the extension of a is'],
  [[feature({ substitute: [] } as never, 'a')], 'Did you mean the extension of a.substitutes?'],
  [[feature({ substitutes: [() => undefined] as never }, 'a')], 'the extension of a.substitutes'],
  [[feature({ endpoints: {} as never }, 'a')], 'the extension of a.endpoints is'],
  [[feature({ finish: 'x' as never }, 'a')], 'the extension of a.finish is "x"'],
  [
    [feature({}, 'a'), feature({}, 'a')],
    'features[1] is a second feature named "a": remove one of the two',
  ],
])('what is no list of features is refused: %j', (given, message) => {
  const { code, message: shown } = errorOf(given);
  const isUnknown = message.startsWith('Did you mean');
  const expected: SsrErrorCode = isUnknown ? 'NG_SSR_OPTION_UNKNOWN' : 'NG_SSR_OPTION_INVALID';
  expect(code).toBe(expected);
  expect(shown).toContain(message);
});

it('an option of a feature is checked when the server is created', () => {
  const { message } = errorOf([withMaintenancePage({ isOn: true as never })]);
  expect(message).toContain(
    'maintenance-page.isOn is true (boolean); allowed: a function () => boolean',
  );
});

it('a maintenance page answers in place of renders, and stored pages are answered as before', async () => {
  let isOn = false;
  const server = inspectedServer(page, { features: [withMaintenancePage({ isOn: () => isOn })] });
  onTestFinished(() => server.handler.close());
  const answerTo = async (url: string): Promise<unknown> => {
    const { text } = await server.inspect('/explain', { method: 'POST', content: { url } });
    const { answer, status, reasons } = JSON.parse(text) as Record<string, readonly string[]>;
    return [answer, status, reasons![0]];
  };
  await server.get('/stored');
  isOn = true;
  expect(await server.get('/stored')).toMatchObject({
    ...{ status: 200, text: '<!doctype html><p>render 1</p>', isHit: true },
  });
  const refused = await server.get('/new');
  expect(refused).toMatchObject({ status: 503, isHit: false });
  expect(refused.text).toContain('We are back');
  expect(refused.header('cache-status')).toBe('ng-ssr; detail=maintenance');
  const head = await server.get('/new', {}, 'HEAD');
  expect([head.status, head.body, head.header('content-length')]).toEqual([
    ...[503, null, refused.header('content-length')],
  ]);
  expect(await answerTo('/new')).toEqual(['server', 503, expect.stringContaining('is on')]);
  expect(await answerTo('/stored')).toEqual(['stored', 200, expect.stringContaining('fresh')]);
  isOn = false;
  expect((await server.get('/new')).text).toContain('render 2');
  expect(server.requests).toHaveLength(2);
});

it('substitutes are asked in the order of their features, and the first answer counts', async () => {
  const asked: string[] = [];
  const substitute = (name: string, answer?: Answer): Feature =>
    feature({ substitutes: [{ answer: () => (asked.push(name), answer) }] }, name);
  const server = serverWith([
    substitute('a'),
    { name: 'b', install: () => ({ substitutes: [{ answer: async () => void asked.push('b') }] }) },
    substitute('c', text('from c')),
    substitute('d'),
  ]);
  expect((await server.get('/')).text).toBe('from c');
  expect(asked).toEqual(['a', 'b', 'c']);
});

it('a substitute comes before render rules', async () => {
  const server = storedServer(page, {
    features: [feature({ substitutes: [{ answer: () => text('in place') }] })],
    routeRules: { '/': { ssr: false } },
    files: { folder: writeBuiltSite({ 'browser/index.csr.html': '<!doctype html><p>CSR</p>' }) },
  });
  onTestFinished(() => server.handler.close());
  expect((await server.get('/')).text).toBe('in place');
});

it('an endpoint answers each method on allowed hosts, and no stored page is invalidated by it', async () => {
  const server = serverWith([
    feature({
      endpoints: [
        {
          matches: isOf('/own'),
          answer: async ({ method }) => text(`own ${method}`),
          says: () => ({ answer: 'server', status: 200, reasons: ['It is mine.'] }),
        },
      ],
    }),
  ]);
  expect((await server.get('/own', {}, 'DELETE')).text).toBe('own DELETE');
  expect((await server.get('/own')).text).toBe('own GET');
  expect((await server.get('/own', { host: 'foreign.example' })).status).toBe(400);
  expect((await server.get('/other', {}, 'DELETE')).status).toBe(405);
});

it.each<[string, Extension]>([
  ['an endpoint', { endpoints: [endpointThat(() => Promise.reject(new Error('down')))] }],
  ['a substitute', { substitutes: [{ answer: () => Promise.reject(new Error('down')) }] }],
  [
    'a substitute, synchronously',
    {
      substitutes: [
        {
          answer: () => {
            throw new Error('down');
          },
        },
      ],
    },
  ],
])('what %s throws is a 500, reported once', async (_name, extension) => {
  const server = serverWith([feature(extension)]);
  expect((await server.get('/own')).status).toBe(500);
  const { code, message, cause } = server.errors[0]!;
  expect([code, message]).toEqual([
    ...['NG_SSR_FEATURE_FAILED', 'the feature own could not answer GET /own'],
  ]);
  expect(cause).toEqual(new Error('down'));
  expect(server.errors).toHaveLength(1);
});

it.each<[string, unknown]>([
  ['a number', 5],
  ['an empty object', {}],
  ['null', null],
  ['a Response', new Response('x')],
  ['a text as body', { ...text('x'), body: 'x' }],
  ['an odd list', { ...text('x'), headers: ['a'] }],
  ['a status of 1000', text('x', 1000)],
  ['a line break', { ...text('x'), headers: ['X-Own', 'a\r\nb: c'] }],
  ['a name that is none', { ...text('x'), headers: ['a b', 'c'] }],
])(
  'a substitute that gives %s in place of an answer is a 500 that names it',
  async (_name, given) => {
    for (const answer of [() => given, async () => given]) {
      const server = serverWith([feature({ substitutes: [{ answer: answer as never }] })]);
      expect((await server.get('/')).status).toBe(500);
      expect(server.errors.map(({ message }) => message)).toEqual([
        'the feature own could not answer GET /',
      ]);
      expect(String(server.errors[0]!.cause)).toContain('instead of type Answer');
    }
  },
);

it('an endpoint that gives no answer is a 500 that names it', async () => {
  const server = serverWith([
    feature({ endpoints: [endpointThat(async () => undefined as never)] }),
  ]);
  expect((await server.get('/own')).status).toBe(500);
  expect(server.errors.map(({ message }) => message)).toEqual([
    'the feature own could not answer GET /own',
  ]);
  expect(String(server.errors[0]!.cause)).toContain('it returned null instead of type Answer');
});

it('an install that needs the server is told where it exists', () => {
  const install = ({ server }: ServerCore): Extension => ({ open: () => server });
  const { message, cause } = errorOf([{ name: 'own', install }]);
  expect(message).toBe('the feature own could not be installed');
  expect(String(cause)).toContain('use core.server in open');
});

it('what must not throw is reported, and the server answers', async () => {
  const fail = (): never => {
    throw new Error('broken');
  };
  const server = serverWith([
    feature({
      endpoints: [{ matches: fail, answer: fail, says: fail }],
      onMiss: fail,
      finish: fail,
    }),
  ]);
  expect((await server.get('/')).status).toBe(200);
  expect((await server.get('/')).isHit).toBe(true);
  const messages = server.errors.map(({ message }) => message);
  expect(new Set(messages)).toEqual(new Set(['the feature own threw']));
});

it('a listener for errors that throws does not end the process, nor hide the error', async () => {
  const server = serverWith([
    feature({
      noteError: () => {
        throw new Error('broken');
      },
      start: () => Promise.reject(new Error('no database')),
    }),
  ]);
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  await server.get('/');
  await server.handler.ready();
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_FEATURE_FAILED']);
  expect(printed).toHaveBeenCalledOnce();
});

it('what install throws names the feature, and an error of an option is left as it is', () => {
  const failing: Feature = {
    name: 'own',
    install: () => {
      throw new Error('no file');
    },
  };
  const { code, message, cause } = errorOf([failing]);
  expect([code, message]).toEqual([
    'NG_SSR_FEATURE_FAILED',
    'the feature own could not be installed',
  ]);
  expect(cause).toEqual(new Error('no file'));
});

function endpointThat(answer: () => Promise<Answer>): NonNullable<Extension['endpoints']>[number] {
  const says = () => ({ answer: 'server', status: undefined, reasons: [] }) as const;
  return { matches: isOf('/own'), answer, says };
}

it('headers that features add are on misses, hits, refusals and endpoints, in the order of features', async () => {
  const adds = (name: string): Feature =>
    feature(
      {
        finish: (answer) => ({ ...answer, headers: [...answer.headers, 'x-passed', name] }),
        endpoints: [endpointThat(async () => text(name))],
      },
      name,
    );
  const server = serverWith([adds('a'), adds('b')]);
  for (const target of ['/page', '/page', '/own']) {
    expect((await server.get(target)).header('x-passed'), target).toBe('a, b');
  }
  const refused = await server.get('/page', { host: 'foreign.example' });
  expect([refused.status, refused.header('x-passed')]).toEqual([400, 'a, b']);
});

it('a file that a feature makes is answered as built files are, with HEAD and preconditions', async () => {
  const server = serverWith([
    {
      name: 'own',
      install: () => {
        const content = Buffer.from('made');
        const resource = heldFile('made.txt', content, {
          ...{ contentType: 'text/plain', cacheControl: 'no-cache' },
        });
        return {
          file: {
            find: (parsed) => (isOf('/made.txt')(parsed) ? resource : undefined),
            says: () => undefined,
          },
        };
      },
    },
  ]);
  const made = await server.get('/made.txt');
  expect(made.text).toBe('made');
  expect((await server.get('/made.txt', {}, 'HEAD')).body).toBe(null);
  expect((await server.get('/made.txt', { 'if-none-match': made.header('etag')! })).status).toBe(
    304,
  );
  expect((await server.get('/made.txt', { host: 'foreign.example' })).status).toBe(400);
  expect(server.requests).toHaveLength(0);
});

it('features start with the first request and close in their order, each even if another one fails', async () => {
  const events: string[] = [];
  const noted = (name: string, fails = false): Feature =>
    feature(
      {
        open: () => void events.push(`open ${name}`),
        start: () => void events.push(`start ${name}`),
        close: () => {
          events.push(`close ${name}`);
          if (fails) throw new Error('stuck');
        },
      },
      name,
    );
  const server = storedServer(page, {
    features: [noted('a', true), noted('b')],
    onClose: () => void events.push('onClose'),
  });
  expect(events).toEqual(['open a', 'open b']);
  await server.get('/');
  await server.handler.ready();
  await expect(server.handler.close()).rejects.toMatchObject({
    ...{ code: 'NG_SSR_CLOSE_FAILED', message: 'the feature a could not be closed' },
  });
  expect(events.slice(2)).toEqual(['start a', 'start b', 'close a', 'close b', 'onClose']);
});

it('a server is not ready before a feature has started, if that is asked', async () => {
  let resolve!: () => void;
  const promise = new Promise<void>((begin) => (resolve = begin));
  const server = storedServer(page, {
    features: [feature({ delaysReady: true, start: () => promise })],
    probes: { ready: '/ready' },
  });
  onTestFinished(() => server.handler.close());
  expect((await server.get('/ready')).status).toBe(503);
  resolve();
  await server.handler.ready();
  expect((await server.get('/ready')).status).toBe(200);
});

it('a start that fails is reported, and the server answers', async () => {
  const server = storedServer(page, {
    features: [feature({ start: () => Promise.reject(new Error('no database')) })],
  });
  onTestFinished(() => server.handler.close());
  expect((await server.get('/')).status).toBe(200);
  await server.handler.ready();
  expect(server.errors.map(({ message }) => message)).toEqual(['the feature own could not start']);
});

it('misses and errors are noted, and pages purged through the server', async () => {
  const noted: string[] = [];
  let core: ServerCore | undefined;
  const server = serverWith([
    {
      name: 'own',
      install: (given) => {
        core = given;
        return {
          onMiss: ({ target, origin }) => void noted.push(`miss ${origin}${target}`),
          noteError: ({ code }) => void noted.push(code),
        };
      },
    },
  ]);
  await server.get('/a');
  await server.get('/a');
  server.handler.report(new SsrError('NG_SSR_HANDLER_FAILED', 'noted'));
  await core!.server.pages.purge({ path: '/a' });
  await server.get('/a');
  const miss = 'miss http://localhost/a';
  expect(noted).toEqual([miss, 'NG_SSR_HANDLER_FAILED', miss]);
  expect([core!.isMain, core!.isBuilt]).toEqual([true, true]);
});

function withTrait(trait: PageTrait): StoredServer {
  return serverWith([{ name: 'own', trait, install: () => ({}) }]);
}

it('a page that a trait refuses is stored by no cache, and Cache-Status names the reason', async () => {
  const server = withTrait({
    refuse: ({ body }) => (Buffer.from(body).includes('render 1') ? 'draft' : undefined),
  });
  const draft = await server.get('/');
  expect([draft.header('cache-control'), draft.header('cache-status')]).toEqual([
    ...['no-store', 'ng-ssr; fwd=uri-miss; detail=draft'],
  ]);
  expect((await server.get('/')).isHit).toBe(false);
});

/** A cache in front obeys each of these before Cache-Control, or keeps the page by it. */
const FOR_CACHES = {
  ...{ 'cdn-cache-control': 'max-age=60', 'surrogate-control': 'max-age=60' },
  ...{ 'cloudflare-cdn-cache-control': 'max-age=60', 'vercel-cdn-cache-control': 'max-age=60' },
  ...{ 'netlify-cdn-cache-control': 'max-age=60', 'edge-control': 'max-age=60' },
  ...{ 'x-accel-expires': '60', expires: 'Thu, 01 Jan 2099 00:00:00 GMT', 'cache-tag': 'a' },
};

it.each<[string, PageTrait]>([
  ['refuses', { refuse: () => 'draft' }],
  ['fills', { fillOf: () => (answer) => answer }],
  [
    'fills with them',
    {
      fillOf: () => (answer) => ({
        ...answer,
        headers: [...answer.headers, ...Object.entries(FOR_CACHES).flat()],
      }),
    },
  ],
])('a page that a trait %s has no header of its own for caches', async (_name, trait) => {
  const headers = { 'cache-control': 's-maxage=60', ...FOR_CACHES };
  const features = [{ name: 'own', trait, install: () => ({}) }];
  const server = storedServer(() => html('page', headers), { features });
  onTestFinished(() => server.handler.close());
  for (const seen of [await server.get('/'), await server.get('/')]) {
    expect(seen.header('cache-control')).toContain('no-store');
    for (const name of Object.keys(FOR_CACHES)) expect(seen.header(name), name).toBeUndefined();
  }
});

it('a reason that is no word is not sent', async () => {
  const server = withTrait({ refuse: () => 'a draft;\r\nx: y' });
  expect((await server.get('/')).header('cache-status')).toContain('detail=feature');
});

it.each<[string, PageTrait]>([
  ['a line break', { keep: () => ({ headers: () => ({ always: ['x-a', 'a\r\nb: c'] }) }) }],
  ['an odd list', { keep: () => ({ headers: () => ({ fresh: ['x-a'] }) }) }],
  ['no list', { keep: () => ({ headers: () => ({ headers: 'x' as never }) }) }],
  ['a text as content', { fillOf: () => (answer) => ({ ...answer, body: 'x' as never }) }],
])('a trait that gives %s is a 500 that says so', async (_name, trait) => {
  const server = withTrait(trait);
  expect((await server.get('/')).status).toBe(500);
  expect(server.errors[0]!.code).toBe('NG_SSR_FEATURE_FAILED');
});

it('what a trait fills is private, whatever the trait says', async () => {
  const server = withTrait({
    fillOf: () => (answer) => ({ ...answer, headers: ['cache-control', 'public, max-age=60'] }),
  });
  expect((await server.get('/')).header('cache-control')).toBe('private, no-store');
  expect((await server.get('/')).header('cache-control')).toBe('private, no-store');
});

it('members of a class that are none of an extension are left alone, and its methods keep their this', async () => {
  class Counter {
    readonly seen: string[] = [];
    log(): void {
      this.seen.push('log');
    }
    wrap(): void {
      this.seen.push('wrap');
    }
    noteError({ code }: SsrError): void {
      this.seen.push(code);
    }
    onMiss({ path }: FeatureRequest): void {
      this.seen.push(path);
    }
  }
  const counter = new Counter();
  const server = serverWith([{ name: 'counter', install: () => counter }]);
  expect((await server.get('/a?b')).status).toBe(200);
  server.handler.report(new SsrError('NG_SSR_HANDLER_FAILED', 'noted'));
  expect(counter.seen).toEqual(['/a', 'NG_SSR_HANDLER_FAILED']);
});

it('promises that callbacks give and that reject are reported', async () => {
  const reject = async (): Promise<void> => {
    throw new Error('later');
  };
  const server = serverWith([
    {
      ...feature({ onMiss: reject }),
      trait: { keep: () => ({ stored: reject, dropped: reject }) },
    },
  ]);
  await server.get('/a');
  await server.handler.cache.purge({ path: '/a' });
  await server.get('/a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(new Set(server.errors.map(({ message }) => message))).toEqual(
    new Set([
      ...['the feature own threw', 'the trait of the feature own threw in stored'],
      'the trait of the feature own threw in dropped',
    ]),
  );
});

it('a name that the server has already is refused', () => {
  const create = (): unknown =>
    storedServer(page, { features: [withCalls({ '**': {} }), feature({}, 'calls')] });
  expect(create).toThrow(/is a second feature named "calls"/);
});

it('a start that takes its time delays nothing, if that is not asked', async () => {
  const server = storedServer(page, {
    features: [feature({ start: () => new Promise(() => undefined) })],
    probes: { ready: '/ready' },
  });
  onTestFinished(() => server.handler.close());
  await server.handler.ready();
  expect((await server.get('/ready')).status).toBe(200);
});

it('nothing is started after the end', async () => {
  const events: string[] = [];
  const server = storedServer(page, {
    features: [feature({ start: () => void events.push('start') })],
  });
  await server.handler.close();
  await server.handler.ready();
  expect(events).toEqual([]);
});

it('the redirect of a feature is sent as it is, without the query of the request', async () => {
  const redirect = (to: string): Answer => ({ status: 302, headers: ['Location', to], body: null });
  const server = storedServer(page, {
    routeRules: { '/**': { sMaxAge: 60 } },
    features: [
      feature({
        endpoints: [
          {
            matches: ({ path }) => path === '/callback',
            answer: async () => redirect('/home'),
            says: () => ({ answer: 'server', status: 302, reasons: [] }),
          },
        ],
        substitutes: [
          { answer: (_asked, { path }) => (path === '/old' ? redirect('/new') : undefined) },
        ],
      }),
    ],
  });
  onTestFinished(() => server.handler.close());
  expect((await server.get('/callback?code=SECRET')).header('location')).toBe('/home');
  expect((await server.get('/old?token=SECRET')).header('location')).toBe('/new');
});

it('a trait that fails as a page leaves memory does not keep it there', async () => {
  const server = withTrait({
    keep: () => ({
      dropped: () => {
        throw new Error('broken');
      },
    }),
  });
  await server.get('/a');
  await server.handler.cache.purge({ path: '/a' });
  const after = await server.get('/a');
  expect([after.status, after.isHit]).toEqual([200, false]);
  expect(server.handler.cache.inspect().count).toBe(1);
});

it('a filled answer has no directives for edges', async () => {
  const headers = {
    'surrogate-control': 'max-age=60',
    'surrogate-key': 'a',
    'cdn-cache-control': 'x',
  };
  const server = storedServer(() => html('{{x}}', { 'cache-control': 's-maxage=60', ...headers }), {
    features: [{ name: 'own', trait: { fillOf: () => (answer) => answer }, install: () => ({}) }],
  });
  onTestFinished(() => server.handler.close());
  for (const seen of [await server.get('/'), await server.get('/')]) {
    expect(Object.keys(headers).map((name) => seen.header(name))).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  }
});
