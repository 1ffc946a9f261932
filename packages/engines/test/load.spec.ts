import { ɵdestroyAngularServerApp, ɵsetAngularAppManifest } from '@angular/ssr';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine } from '../src/index.ts';
import { bootstrap, document } from './fixture/app.ts';
import { createAppEngine } from './fixture/built-app.ts';
import { request } from './fixture/engine-suite.ts';
import { setManifests } from './fixture/manifests.ts';

const PRERENDER = 2;
const SERVER = 0;
const CLIENT = 1;

/** An application that counts its starts and the reads of its document. */
function build(routes: readonly object[] = [{ route: '/**', renderMode: SERVER }]) {
  const started = vi.fn(bootstrap);
  const read = vi.fn(async () => document);
  setManifests(bootstrap);
  ɵsetAngularAppManifest({
    bootstrap: async () => started,
    baseHref: '/',
    locale: undefined,
    routes,
    entryPointToBrowserMapping: {},
    assets: { 'index.server.html': { size: document.length, hash: 'h', text: read } },
  } as never);
  return { started, read };
}

/** How often the classes of Angular's DOM were read, to compare it with ours. */
function watchComparisons(): () => number {
  const read = vi.spyOn(Object, 'getOwnPropertyDescriptors');
  return () => read.mock.calls.filter(([object]) => object === globalThis).length;
}

beforeEach(() => {
  ɵdestroyAngularServerApp();
  vi.stubGlobal('ngServerMode', true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('load', () => {
  it('does what only the first render does, without starting the application', async () => {
    const { started, read } = build();
    const comparisons = watchComparisons();
    const log = vi.spyOn(console, 'error');
    const engine = createAppEngine();
    await engine.load!();
    expect(started).not.toHaveBeenCalled();
    expect(comparisons()).toBe(1);
    expect(read).toHaveBeenCalledOnce();

    const page = await (await engine(request('/hello')))!.text();
    expect(started).toHaveBeenCalledOnce();
    expect(comparisons()).toBe(1);
    expect(read).toHaveBeenCalledOnce();
    expect(log).not.toHaveBeenCalled();
    expect(page).toBe(await (await createAppEngine({ fast: false })(request('/hello')))!.text());
  });

  it.each([
    ['none', []],
    ['none that renders', [{ route: '/**', renderMode: CLIENT }]],
    ['a prerendered one', [{ route: '/hello', renderMode: PRERENDER }]],
    ['a redirect', [{ route: '/old', renderMode: SERVER, redirectTo: '/new' }]],
  ])('renders nothing where the routes of the build are %s', async (_, routes) => {
    const { started, read } = build(routes);
    await createAppEngine().load!();
    expect(started).not.toHaveBeenCalled();
    expect(read).not.toHaveBeenCalled();
  });

  it('is called after the start of a server, before any request', async () => {
    const { started, read } = build();
    const errors: unknown[] = [];
    const handler = new SsrHandler({
      engine: appEngine(),
      allowedHosts: ['shop.example'],
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
      onError: (error) => void errors.push(error),
    });
    await handler.ready();
    expect(read).toHaveBeenCalledOnce();
    expect(started).not.toHaveBeenCalled();
    const answer = await handler.render(plainExchange('/hello', { host: 'shop.example' }));
    expect(answer?.status).toBe(200);
    expect(started).toHaveBeenCalledOnce();
    expect(errors).toEqual([]);
    await handler.close();
  });

  it('leaves an error to the first render', async () => {
    const { read } = build();
    read.mockRejectedValueOnce(new Error('no document yet'));
    const engine = createAppEngine();
    await engine.load!();
    expect((await engine(request('/hello')))?.status).toBe(200);
  });
});
