import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { NgComponentOutlet } from '@angular/common';
import {
  ApplicationRef,
  ChangeDetectionStrategy,
  Component,
  DOCUMENT,
  ErrorHandler,
  inject,
  Injectable,
  InjectionToken,
  Injector,
  PendingTasks,
  provideEnvironmentInitializer,
  REQUEST,
  RendererFactory2,
  type Type,
} from '@angular/core';
import { ɵDomRendererFactory2 as DomRendererFactory2 } from '@angular/platform-browser';
import { BEFORE_APP_SERIALIZED, PlatformState } from '@angular/platform-server';
import { ROUTES } from '@angular/router';
import { ɵdestroyAngularServerApp } from '@angular/ssr';
import { type RenderEngine, type SsrError, type SsrOptions, withCalls } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine, commonEngine } from '../src/index.ts';
import { bootstrapWith, document } from './fixture/app.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { setManifests } from './fixture/manifests.ts';

/** A member of Angular's documents that is nowhere used, and that other documents do not have. */
interface Lacked {
  _setMutationHandler(handler: () => void): void;
  serialize(): string;
}

const documents: object[] = [];
/** Renders that wait for their call. */
const queue: (() => void)[] = [];
/** What the application got as it serialized the document itself. */
const serialized: string[] = [];
/** Where the application posts to. */
let api = '';

/** What the application does, by the path of its page. */
const bootstrap = bootstrapWith({
  providers: [
    provideEnvironmentInitializer(() => {
      const document = inject(DOCUMENT) as Document & Lacked;
      documents.push(document);
      const url = new URL(inject(REQUEST)!.url);
      const send = SENDERS[url.searchParams.get('by') ?? ''];
      if (send === undefined) return;
      void inject(PendingTasks).run(async () => {
        await send(`${api}/views?token=s3cret`);
        if (!url.searchParams.has('has-all')) document._setMutationHandler(() => undefined);
      });
    }),
    {
      provide: BEFORE_APP_SERIALIZED,
      multi: true,
      useFactory: () => {
        const document = inject(DOCUMENT) as Document & Lacked;
        const state = inject(PlatformState);
        if (!new URL(inject(REQUEST)!.url).searchParams.has('serialize')) return () => undefined;
        serialized.push(document.serialize());
        return async () => {
          serialized.push(state.renderToString());
          await new Promise((resolve) => setTimeout(resolve, 1));
          document.body.setAttribute('data-late', '1');
          serialized.push(document.serialize());
        };
      },
    },
  ],
});

/** The ways in which a page sends a request. */
const SENDERS: Readonly<Record<string, (url: string) => Promise<void>>> = {
  fetch: async (url) => void (await (await fetch(url, { method: 'POST', body: 'x' })).text()),
  get: async (url) => void (await (await fetch(url)).text()),
  http: (url) =>
    new Promise((resolve, reject) => {
      httpRequest(url, { method: 'PUT' }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end('x');
    }),
  http2: async (url) => {
    const { origin, pathname } = new URL(url);
    const session = connect(origin);
    const stream = session.request({ ':method': 'POST', ':path': pathname });
    stream.resume().end('x');
    await once(stream, 'close');
    session.close();
  },
  // A queue that renders share is sent by the one that has begun it.
  queued: (url) =>
    new Promise((resolve) => {
      queue.push(resolve);
      if (queue.length > 1) return;
      const timer = setInterval(() => {
        if (queue.length < 2) return;
        clearInterval(timer);
        void fetch(url, { method: 'POST', body: 'x' }).then(async (response) => {
          await response.text();
          for (const done of queue.splice(0)) done();
        });
      }, 5);
    }),
  // What HttpClient uses without `withFetch()`.
  xhr: async (url) => {
    // In a variable: it has no types.
    const name = 'xhr2';
    const { XMLHttpRequest: Request } = (await import(name)) as {
      XMLHttpRequest: new () => XMLHttpRequest;
    };
    await new Promise<void>((resolve) => {
      const request = new Request();
      request.onloadend = () => resolve();
      request.open('POST', url);
      request.send('x');
    });
  },
};

const browserFolder = writeBuildFolder(document);
writeFileSync(join(browserFolder, 'index.csr.html'), '<!doctype html><p>csr</p>');

/** An engine with an application of its own. */
function createEngine(
  name: string,
  app = bootstrap,
  options: { readonly fast?: boolean } = {},
): RenderEngine {
  ɵdestroyAngularServerApp();
  setManifests(app);
  return name === 'appEngine' ? appEngine(options) : commonEngine({ bootstrap: app, ...options });
}

function createHandler(engine: RenderEngine, options: Partial<SsrOptions> = {}) {
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['shop.example'],
    files: { folder: browserFolder },
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => handler.close());
  const ask = async (target: string) => {
    const answer = await handler.render(plainExchange(target, { host: 'shop.example' }));
    return { status: answer?.status, text: Buffer.from(answer!.body!).toString() };
  };
  return { handler, errors, ask };
}

/** Counts requests by their method. */
async function startApi(by = 'fetch'): Promise<string[]> {
  const methods: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    methods.push(request.method!);
    request.resume();
    response.end('ok');
  };
  const server = by === 'http2' ? createHttp2Server(answer as never) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return methods;
}

/** Whether each document since the last call was one of ours. */
function ours(): boolean[] {
  return documents.splice(0).map((document) => 'unsupported' in document);
}

/** An application that draws into the content of a template. */
function secondDocuments() {
  let kept: SVGSVGElement | undefined;
  let isKeeping = false;
  class Drawn {
    readonly document = inject(DOCUMENT);
    get rect(): string {
      const template = this.document.createElement('template');
      template.innerHTML = '<svg></svg>';
      const svg = template.content.firstChild as SVGSVGElement;
      kept = svg;
      return isKeeping ? 'kept' : typeof svg.createSVGRect();
    }
  }
  Component({
    changeDetection: ChangeDetectionStrategy.Eager,
    template: '<p>before</p><p>{{ rect }}</p><p>after</p>',
  })(Drawn);
  const app = bootstrapWith({
    providers: [
      { provide: ROUTES, multi: true, useValue: [{ path: 'drawn', component: Drawn }] },
      provideEnvironmentInitializer(() => {
        documents.push(inject(DOCUMENT));
        const injector = inject(Injector);
        if (!new URL(inject(REQUEST)!.url).searchParams.has('kept')) return;
        void inject(PendingTasks).run(async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          try {
            kept!.createSVGRect();
          } catch (error) {
            injector.get(ErrorHandler).handleError(error);
          }
        });
      }),
    ],
  });
  return { app, keep: () => void (isKeeping = true) };
}

it('leaves a route of commonEngine once, whatever the paths of its pages', async () => {
  class Failing {
    constructor() {
      (inject(DOCUMENT) as Document & Lacked)._setMutationHandler(() => undefined);
    }
  }
  Component({ template: '<p>drawn</p>' })(Failing);
  class Shown {}
  Component({ template: '<p>shown</p>' })(Shown);
  const app = bootstrapWith({
    providers: [
      {
        provide: ROUTES,
        multi: true,
        useValue: [
          {
            path: 'drawings',
            children: [
              { path: 'list', component: Shown },
              { path: ':id/page/:page', component: Failing },
              { path: '', component: Shown },
            ],
          },
        ],
      },
      provideEnvironmentInitializer(() => void documents.push(inject(DOCUMENT))),
    ],
  });
  const { ask, errors } = createHandler(createEngine('commonEngine', app));
  for (let i = 0; i < 3; i++) await ask(`/drawings/a${i}/page/${i}?i=${i}`);
  expect(ours()).toEqual([true, false, false, false]);
  for (const path of ['/drawings', '/drawings/list', '/slow/a1', '/hello']) await ask(path);
  expect(ours()).toEqual([true, true, true, true]);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('pages of /drawings/:id/page/:page are'),
  ]);
});

it('leaves all routes of a commonEngine whose application does not start in the fast DOM', async () => {
  const app = bootstrapWith({
    providers: [
      provideEnvironmentInitializer(() => {
        const document = inject(DOCUMENT) as Document & Lacked;
        documents.push(document);
        document._setMutationHandler(() => undefined);
      }),
    ],
  });
  const { ask, errors } = createHandler(createEngine('commonEngine', app));
  for (let i = 0; i < 8; i++) await ask(`/slow/${i}`);
  expect(ours().filter(Boolean)).toHaveLength(5);
  expect(errors).toHaveLength(5);
  expect(errors[4]!.message).toContain('pages of /** are');
});

beforeEach(() => {
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  documents.length = 0;
  serialized.length = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe.each(['appEngine', 'commonEngine'])('%s', (name) => {
  it.each([
    ['fetch', 'POST', undefined],
    ['fetch', 'POST', { '**': { timeoutMs: 20_000 } }],
    ['http', 'PUT', undefined],
    ['xhr', 'POST', undefined],
    ['http2', 'POST', undefined],
  ])('does not send the request of %s (%s) twice, with calls %j', async (by, method, calls) => {
    const methods = await startApi(by);
    const { ask, errors } = createHandler(
      createEngine(name),
      calls ? { features: [withCalls(calls)] } : {},
    );
    const page = await ask(`/hello?by=${by}`);
    expect(methods).toEqual([method]);
    expect(page).toEqual({ status: 200, text: '<!doctype html><p>csr</p>' });
    expect(ours()).toEqual([true]);
    expect(errors.map(({ code }) => code)).toEqual([
      'NG_SSR_FAST_LEFT',
      'NG_SSR_RENDER_NOT_REPEATED',
    ]);
    expect(errors[1]!.message).toContain(`${method} ${api}/views: it is not repeated`);
    expect((await ask(`/hello?by=${by}`)).text).toContain('shop.example/hello');
    expect(ours()).toEqual([false]);
    expect(methods).toEqual([method, method]);
  });

  it('does not repeat a render whose request another one has sent', async () => {
    const methods = await startApi();
    const { ask, errors } = createHandler(createEngine(name));
    const pages = await Promise.all([ask('/hello?by=queued&has-all'), ask('/hello?by=queued')]);
    expect(methods).toEqual(['POST']);
    expect(pages.map(({ text }) => text.includes('csr'))).toEqual([false, true]);
    expect(errors.map(({ code }) => code)).toEqual([
      'NG_SSR_FAST_LEFT',
      'NG_SSR_RENDER_NOT_REPEATED',
    ]);
  });

  it('renders again where all requests were safe, and reports the route once', async () => {
    const methods = await startApi();
    const { ask, errors } = createHandler(createEngine(name));
    expect((await ask('/hello?by=get')).text).toContain('shop.example/hello');
    expect((await ask('/hello?by=get')).text).toContain('shop.example/hello');
    expect(ours()).toEqual([true, false, false]);
    expect(methods).toEqual(['GET', 'GET', 'GET']);
    const route = name === 'appEngine' ? '/**' : '/hello';
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ['NG_SSR_FAST_LEFT', expect.stringContaining(`pages of ${route} are rendered with`)],
    ]);
    expect(console.error).not.toHaveBeenCalled();
  });

  it('gives the application the page where it serializes it', async () => {
    const texts: string[][] = [];
    const pages: string[] = [];
    for (const fast of [false, true]) {
      const { ask, errors } = createHandler(createEngine(name, bootstrap, { fast }));
      pages.push((await ask('/hello?serialize')).text);
      texts.push(serialized.splice(0));
      expect(ours()).toEqual([fast]);
      expect(errors).toEqual([]);
    }
    expect(texts[0]).toHaveLength(3);
    expect(texts[0]![2]).toContain('data-late="1"');
    expect(texts[1]).toEqual(texts[0]);
    expect(pages[0]).toContain('data-late="1"');
    expect(pages[1]).toBe(pages[0]);
  });

  it('leaves the functions and classes that a page injects as they are', async () => {
    const WIDGETS = new InjectionToken<Type<unknown>[]>('WIDGETS');
    class Widget {}
    Component({ template: '<b>widget</b>' })(Widget);
    class Page {
      readonly app = inject(ApplicationRef);
      readonly document = inject(DOCUMENT) as Document & Lacked;
      readonly widgets = inject(WIDGETS, { optional: true })!;
      readonly isSame =
        this.widgets === WIDGET_LIST && this.app.injector.get(WIDGETS, null) === WIDGET_LIST;
      readonly isHook = inject(BEFORE_APP_SERIALIZED, { optional: true })!.includes(hook);
      readonly hasPage = this.document.serialize().includes('<app-root');
    }
    const WIDGET_LIST = [Widget];
    const hook = (): void => undefined;
    Component({
      imports: [NgComponentOutlet],
      changeDetection: ChangeDetectionStrategy.Eager,
      template: `<p>{{ isSame }} {{ hasPage }} {{ isHook }}</p>
        @for (widget of widgets; track $index) {
          <ng-container *ngComponentOutlet="widget" />
        }`,
    })(Page);
    const app = bootstrapWith({
      providers: [
        { provide: WIDGETS, useValue: WIDGET_LIST },
        { provide: BEFORE_APP_SERIALIZED, multi: true, useValue: hook },
        { provide: ROUTES, multi: true, useValue: [{ path: 'widgets', component: Page }] },
        provideEnvironmentInitializer(() => void documents.push(inject(DOCUMENT))),
      ],
    });
    for (const fast of [false, true]) {
      const { ask, errors } = createHandler(createEngine(name, app, { fast }));
      const { status, text } = await ask('/widgets');
      expect(text).toContain('<p>true true true</p>');
      expect(text).toContain('<b>widget</b>');
      expect(status).toBe(200);
      expect(errors).toEqual([]);
    }
    expect(ours()).toEqual([false, true]);
  });

  it('renders a page again that lacks something in a second document', async () => {
    const { app } = secondDocuments();
    const pages: string[] = [];
    for (const fast of [false, true]) {
      const engine = createEngine(name, app, { fast });
      const { ask, errors } = createHandler(engine, { routeRules: { '/**': { sMaxAge: 60 } } });
      for (let i = 0; i < 2; i++) pages.push((await ask('/drawn')).text);
      expect(errors.map(({ code }) => code)).toEqual(fast ? ['NG_SSR_FAST_LEFT'] : []);
    }
    expect(pages[0]).toContain('<p>before</p><p>object</p><p>after</p>');
    expect(new Set(pages).size).toBe(1);
    expect(ours()).toEqual([false, true, false]);
  });

  it('reports what the document of an earlier page lacks', async () => {
    const { app, keep } = secondDocuments();
    keep();
    const { ask, errors } = createHandler(createEngine(name, app));
    await ask('/drawn');
    await ask('/hello?kept');
    expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_ERROR_UNHANDLED']);
  });

  it('leaves all pages to Angular once a member of its classes is replaced', async () => {
    const { ask: askPlain } = createHandler(createEngine(name, bootstrap, { fast: false }));
    const { ask, errors } = createHandler(createEngine(name));
    // Later pages are checked as the first ones are.
    for (let i = 0; i < 50; i++) await ask('/sold');
    expect(ours()).not.toContain(false);
    const { prototype } = globalThis.HTMLElement;
    const { setAttribute } = prototype;
    Object.defineProperty(prototype, 'setAttribute', {
      configurable: true,
      value(this: Element, key: string, value: string) {
        setAttribute.call(this, key, key === 'ng-server-context' ? 'patched' : value);
      },
    });
    onTestFinished(() => void Reflect.deleteProperty(prototype, 'setAttribute'));
    const { text } = await ask('/hello');
    expect(text).toContain('ng-server-context="patched"');
    expect(ours()).toEqual([true, false]);
    expect(text).toBe((await askPlain('/hello')).text);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      [
        'NG_SSR_FAST_LEFT',
        expect.stringMatching(/^all pages .*HTMLElement\.prototype\.setAttribute was replaced$/),
      ],
    ]);
  });

  it('honours a renderer of the application', async () => {
    class Marking extends DomRendererFactory2 {
      override createRenderer(...given: Parameters<DomRendererFactory2['createRenderer']>) {
        const renderer = super.createRenderer(...given);
        const { createElement } = renderer;
        renderer.createElement = (tag: string, namespace?: string) => {
          const element = createElement.call(renderer, tag, namespace) as Element;
          element.setAttribute('data-renderer', 'own');
          return element;
        };
        return renderer;
      }
    }
    Injectable()(Marking);
    const app = bootstrapWith({
      providers: [
        { provide: RendererFactory2, useClass: Marking },
        provideEnvironmentInitializer(() => void documents.push(inject(DOCUMENT))),
      ],
    });
    const pages: string[] = [];
    for (const fast of [false, true]) {
      const { ask } = createHandler(createEngine(name, app, { fast }));
      pages.push((await ask('/hello')).text);
    }
    expect(ours()).toEqual([false, true]);
    expect(pages[0]).toContain('data-renderer="own"');
    expect(pages[1]).toBe(pages[0]);
  });
});
