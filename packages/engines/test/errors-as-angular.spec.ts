import { REQUEST } from '@angular/core';
import { AngularNodeAppEngine, CommonEngine } from '@angular/ssr/node';
import type { RenderEngine, SsrError } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { angularAppEngine } from '../src/neutral.ts';
import { appEngine, commonEngine, type EngineOptions } from '../src/index.ts';
import { bootstrap } from './fixture/failing-app.ts';
import { document } from './fixture/document.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { setManifests } from './fixture/manifests.ts';

setManifests(bootstrap);

const browserFolder = writeBuildFolder(document);

beforeEach(() => {
  // What the Angular CLI compiles into server bundles.
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const urlOf = (path: string): string => `http://shop.example${path}`;

/** What Angular's own engines send: a status and a page. */
const angulars = {
  async appEngine(path: string) {
    const engine = new AngularNodeAppEngine({ allowedHosts: ['shop.example'] });
    const response = await engine.handle(new Request(urlOf(path)));
    return response && { status: response.status, text: await response.text() };
  },
  async commonEngine(path: string) {
    const url = urlOf(path);
    const providers = [{ provide: REQUEST, useValue: new Request(url) }];
    const engine = new CommonEngine({ allowedHosts: ['shop.example'] });
    const options = { url, document, bootstrap, providers, publicPath: browserFolder };
    return { status: 200, text: await engine.render(options) };
  },
};

const engines: Readonly<
  Record<string, readonly [keyof typeof angulars, (options: EngineOptions) => RenderEngine]>
> = {
  appEngine: ['appEngine', (options) => appEngine(options)],
  'appEngine by Angular alone': ['appEngine', (o) => appEngine({ ...o, fast: false })],
  angularAppEngine: ['appEngine', (options) => angularAppEngine(options)],
  commonEngine: ['commonEngine', (o) => commonEngine({ ...o, bootstrap })],
  'commonEngine by Angular alone': [
    'commonEngine',
    (o) => commonEngine({ ...o, bootstrap, fast: false }),
  ],
};

/** A server that stores pages; `get` gives what a client gets, and `errors` what is reported. */
function serve(engine: RenderEngine) {
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['shop.example'],
    files: { folder: browserFolder },
    routeRules: { '/**': { sMaxAge: 60 } },
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => handler.close());
  const get = async (path: string) => {
    const exchange = plainExchange(path, { host: 'shop.example' });
    const answer = (handler.answer(exchange) ?? (await handler.render(exchange)))!;
    const { status, headers = [], body } = answer;
    const at = headers.findIndex((name) => name.toLowerCase() === 'cache-control');
    const text = Buffer.from(body ?? '').toString();
    return { status, text, cacheControl: headers[at + 1] };
  };
  return { get, errors };
}

const IN_COMPONENTS = [
  ['/template', 'boom in a template'],
  ['/init', 'boom in ngOnInit'],
  ['/effect', 'boom in an effect'],
  ['/browser', 'document is not defined. A server has no document: use it in afterNextRender()'],
  ['/root-template', 'boom in the root template'],
  ['/root-init', 'boom in ngOnInit of the root'],
] as const;
const IN_NAVIGATIONS = [
  ['/constructor', 'boom in a constructor'],
  ['/child-constructor', 'boom in a constructor'],
  ['/guard', 'boom in a guard'],
  ['/resolver', 'boom in a resolver'],
  ['/lazy', 'boom in a chunk'],
] as const;
const AT_START = [
  ['/root-constructor', 'boom in the root'],
  ['/initializer', 'boom in an initializer'],
] as const;

describe.each(Object.entries(engines))('%s', (_name, [angular, create]) => {
  const hasPageWithout = angular === 'commonEngine';
  const sent = [...IN_COMPONENTS, ...(hasPageWithout ? IN_NAVIGATIONS : [])];
  const notSent = [...AT_START, ...(hasPageWithout ? [] : IN_NAVIGATIONS)];

  // The second has a handler that cannot be made, for which no page asks.
  it.each(['/fine', '/unused-handler'])('stores %s, a page without errors', async (path) => {
    const { get, errors } = serve(create({}));
    const { status, text } = await get(path);
    expect({ status, text }).toEqual(await angulars[angular](path));
    expect((await get(path)).cacheControl).toContain('s-maxage');
    expect(errors).toEqual([]);
  });

  it.each(sent)(
    'sends %s as Angular does, reports it, and stores it nowhere',
    async (path, said) => {
      const { get, errors } = serve(create({}));
      const angularsOwn = await angulars[angular](path);
      expect(angularsOwn?.status).toBe(200);
      vi.mocked(console.error).mockClear();
      for (let renders = 1; renders <= 2; renders++) {
        expect(await get(path)).toEqual({ ...angularsOwn, cacheControl: 'no-store' });
        expect(errors.map(({ code }) => code)).toEqual(
          Array(renders).fill('NG_SSR_ERROR_UNHANDLED'),
        );
      }
      expect(errors[0]!.message).toContain(`GET ${path} (${urlOf(path)})`);
      expect(errors[0]!.message).toContain(said);
      expect(console.error).not.toHaveBeenCalledWith('ERROR', errors[0]!.cause);
    },
  );

  it.each(notSent)('answers 500 to %s, which Angular has no page for', async (path, said) => {
    const { get, errors } = serve(create({}));
    expect(await angulars[angular](path).catch(() => null)).toBeNull();
    expect(await get(path)).toMatchObject({ status: 500, cacheControl: 'no-store' });
    expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_FAILED']);
    expect(String(errors[0]!.cause)).toContain(said);
  });

  it('sends a page whose ngOnDestroy fails, for which CommonEngine would wait for ever', async () => {
    const { get, errors } = serve(create({}));
    const { status, text } = await get('/destroy');
    expect(status).toBe(200);
    expect(text).toContain('<p>destroy</p>');
    await vi.waitFor(() =>
      expect(errors.map(({ cause }) => (cause as Error).message)).toEqual(['boom in ngOnDestroy']),
    );
  });

  it.each([...sent, ...notSent])('answers 500 to %s with failOnError', async (path, said) => {
    const { get, errors } = serve(create({ failOnError: true }));
    expect(await get(path)).toMatchObject({ status: 500, cacheControl: 'no-store' });
    expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_FAILED']);
    expect(said).toContain((errors[0]!.cause as Error).message);
  });
});
