import {
  Component,
  inject,
  provideEnvironmentInitializer,
  provideZonelessChangeDetection,
} from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering } from '@angular/platform-server';
import { ɵsetAngularAppManifest } from '@angular/ssr';
import { PUBLIC_CONFIG } from '@ng-ssr/angular';
import { type RenderEngine, type SsrError, withPublicConfig } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine, commonEngine } from '../src/index.ts';
import { document } from './fixture/document.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { setManifests } from './fixture/manifests.ts';

const [SERVER, CLIENT, PRERENDER] = [0, 1, 2];
const CONFIG = { apiUrl: 'https://a.example/</script><!--', flags: { newCart: true } };
const ELEMENT =
  '<script type="application/json" id="ng-ssr-config">' +
  '{"apiUrl":"https://a.example/\\u003c/script\\u003e\\u003c!--","flags":{"newCart":true}}</script>';

class App {
  readonly text = JSON.stringify(inject(PUBLIC_CONFIG));
}
Component({ selector: 'app-root', template: '<p>{{ text }}</p>' })(App);

/** What components had, one entry for each render. */
const injected: unknown[] = [];
const bootstrap = (context: BootstrapContext) =>
  bootstrapApplication(
    App,
    {
      providers: [
        provideZonelessChangeDetection(),
        provideServerRendering(),
        provideEnvironmentInitializer(() => void injected.push(inject(PUBLIC_CONFIG))),
      ],
    },
    context,
  );
const asset = (text: string) => ({ size: text.length, hash: 'h', text: async () => text });
const browserFolder = writeBuildFolder(document);

beforeAll(() => {
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  setManifests(bootstrap);
  ɵsetAngularAppManifest({
    bootstrap: async () => bootstrap,
    baseHref: '/',
    routes: [
      { route: '/client', renderMode: CLIENT },
      { route: '/about', renderMode: PRERENDER },
      { route: '/**', renderMode: SERVER },
    ],
    entryPointToBrowserMapping: {},
    assets: {
      'index.server.html': asset(document),
      'index.csr.html': asset(document),
      'about/index.html': asset(document),
    },
  } as never);
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function ask(engine: RenderEngine, target: string, publicConfig: object = CONFIG) {
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['shop.example'],
    files: { folder: browserFolder },
    errorDetails: true,
    features: [withPublicConfig(publicConfig)],
    onError: (error) => errors.push(error),
  });
  const { body, status } = (await handler.render(plainExchange(target, { host: 'shop.example' })))!;
  await handler.close();
  return { text: Buffer.from(body!).toString(), status, errors };
}

it.each([
  ['appEngine', () => appEngine(), '/rendered'],
  ['appEngine', () => appEngine(), '/client'],
  ['appEngine', () => appEngine(), '/about'],
  ['appEngine without fast renders', () => appEngine({ fast: false }), '/rendered'],
  ['commonEngine', () => commonEngine({ bootstrap }), '/rendered'],
  [
    'commonEngine without fast renders',
    () => commonEngine({ bootstrap, fast: false }),
    '/rendered',
  ],
])(
  '%s: the page has it first in its head, and components have it: %3$s',
  async (_name, create, target) => {
    injected.length = 0;
    const printed = vi.spyOn(console, 'error');
    const { text, status, errors } = await ask(create(), target);
    expect({ status, errors }).toEqual({ status: 200, errors: [] });
    // It would say that Angular has to render the page alone.
    expect(printed).not.toHaveBeenCalled();
    expect(text).toContain(`<head>${ELEMENT}<title>`);
    expect(text.split('ng-ssr-config')).toHaveLength(2);
    if (target !== '/rendered') return;
    expect(injected).toEqual([CONFIG]);
    expect(text).toContain('https://a.example/&lt;/script&gt;&lt;!--');
  },
);

it('two servers of a process with two configurations over one application are refused', async () => {
  const { status, errors } = await ask(appEngine(), '/rendered', { apiUrl: 'b' });
  expect(status).toBe(500);
  expect(errors[0]!.cause).toMatchObject({
    code: 'NG_SSR_OPTION_INVALID',
    message: expect.stringContaining(
      'withPublicConfig() differs from that of another server',
    ) as string,
  });
  // Each engine of Angular's CommonEngine has a document of its own.
  expect((await ask(commonEngine({ bootstrap }), '/rendered', { apiUrl: 'b' })).text).toContain(
    'id="ng-ssr-config">{"apiUrl":"b"}</script>',
  );
});
