import { AsyncPipe } from '@angular/common';
import { HttpClient, provideHttpClient } from '@angular/common/http';
import {
  ChangeDetectionStrategy,
  Component,
  inject,
  provideZonelessChangeDetection,
  REQUEST,
} from '@angular/core';
import {
  bootstrapApplication,
  type BootstrapContext,
  provideClientHydration,
} from '@angular/platform-browser';
import { provideServerRendering } from '@angular/ssr';
import type { RenderEngine, SsrError } from '@ng-ssr/core';
import { type Answer, SsrHandler } from '@ng-ssr/core/adapter';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine, commonEngine } from '../src/index.ts';
import { document } from './fixture/document.ts';
import { setManifests } from './fixture/manifests.ts';

/** A page that shows a text of the site's own assets, as translations are loaded. */
class App {
  readonly text = inject(HttpClient).get<{ greeting: string }>(
    new URL('/assets/i18n/sv.json', inject(REQUEST)!.url).href,
  );
}
Component({
  selector: 'app-root',
  imports: [AsyncPipe],
  template: '<p>{{ (text | async)?.greeting }}</p>',
  changeDetection: ChangeDetectionStrategy.Eager,
})(App);

function bootstrap(context: BootstrapContext) {
  const providers = [
    provideZonelessChangeDetection(),
    provideHttpClient(),
    provideClientHydration(),
    provideServerRendering(),
  ];
  return bootstrapApplication(App, { providers }, context);
}

beforeAll(() => {
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  setManifests(bootstrap);
});

/** A server of a site with an asset that its page fetches. Gives what the page has of it. */
async function render(engine: RenderEngine, cacheControl?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-transfer-'));
  const browserFolder = join(folder, 'browser');
  mkdirSync(join(browserFolder, 'assets/i18n'), { recursive: true });
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(browserFolder, 'assets/i18n/sv.json'), '{"greeting":"Välkommen"}');
  writeFileSync(join(folder, 'server/index.server.html'), document);
  const errors: SsrError[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const handler = new SsrHandler({
    engine,
    allowedHosts: [`127.0.0.1:${port}`],
    files: { folder: browserFolder, cacheControl: () => cacheControl },
    onError: (error) => errors.push(error),
  });
  const answer: RequestListener = async (request, response) => {
    const exchange = plainExchange(request.url!, { host: request.headers.host! });
    const found: Answer | undefined = handler.answer(exchange) ?? (await handler.render(exchange));
    response.writeHead(found!.status, found!.headers as string[]).end(found!.body);
  };
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(errors).toEqual([]);
  const state = /<script id="ng-state" type="application\/json">(.*?)<\/script>/.exec(page)?.[1];
  return { page, state: state ?? '' };
}

describe.each([
  ['appEngine', () => appEngine()],
  ['commonEngine', () => commonEngine({ bootstrap, inlineCriticalCss: false })],
])('%s', (_name, create) => {
  it('transfers what a page has fetched of the site’s own assets', async () => {
    const { page, state } = await render(create());
    expect(page).toContain('<p>Välkommen</p>');
    expect(state).toContain('"greeting":"Välkommen"');
  });

  it('does not where the assets are no-cache, which Angular refuses', async () => {
    const { page, state } = await render(create(), 'no-cache');
    expect(page).toContain('<p>Välkommen</p>');
    expect(state).not.toContain('greeting');
  });
});
