import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RenderEngine, withNonce } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { ɵsetAngularAppManifest } from '@angular/ssr';
import { compileSheet, encodePlan } from 'beasties/compiler';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine, commonEngine } from '../src/index.ts';
import { bootstrap, document } from './fixture/app.ts';
import { writeBuildFolder } from './fixture/build-folder.ts';
import { setManifests } from './fixture/manifests.ts';

const PLACEHOLDER = 'bm9uY2UtaGVyZQ';
const SERVER = 0;
const CLIENT = 1;
const PRERENDER = 2;
const marked = document
  .replace('<app-root>', `<app-root ngCspNonce="${PLACEHOLDER}">`)
  .replace(
    '</head>',
    `<style nonce="${PLACEHOLDER}">a{}</style><link rel="stylesheet" href="s.css"></head>`,
  );
const css = 'p{top:0}';
const asset = (text: string) => ({ size: text.length, hash: 'h', text: async () => text });
const browserFolder = writeBuildFolder(marked);
writeFileSync(join(browserFolder, 's.css'), css);

beforeAll(async () => {
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  setManifests(bootstrap);
  ɵsetAngularAppManifest({
    bootstrap: async () => bootstrap,
    baseHref: '/',
    nonce: PLACEHOLDER,
    criticalCssPlans: [encodePlan(compileSheet(css, { href: 's.css' }))],
    routes: [
      { route: '/client', renderMode: CLIENT },
      { route: '/about', renderMode: PRERENDER },
      { route: '/**', renderMode: SERVER },
    ],
    entryPointToBrowserMapping: {},
    assets: {
      'index.server.html': asset(marked),
      'index.csr.html': asset(marked),
      'about/index.html': asset(marked),
    },
  } as never);
  // Another engine of the process, without a nonce, has had the documents before.
  const other = appEngine();
  other.setup!({ allowedHosts: ['shop.example'], trustProxyHeaders: false, browserFolder });
  const page = await other(new Request('http://shop.example/hello'));
  expect(await page!.text()).toContain(PLACEHOLDER);
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function ask(
  engine: RenderEngine,
  target: string,
): Promise<{ text: string; policy: string }> {
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['shop.example'],
    files: { folder: browserFolder },
    features: [
      withNonce({ placeholder: PLACEHOLDER, policy: `script-src 'nonce-${PLACEHOLDER}'` }),
    ],
  });
  const exchange = plainExchange(target, { host: 'shop.example' });
  const { body, headers, status } = (await handler.render(exchange))!;
  await handler.close();
  expect(status).toBe(200);
  const at = headers.findIndex((name) => name.toLowerCase() === 'content-security-policy');
  return { text: Buffer.from(body!).toString(), policy: headers[at + 1]! };
}

describe.each([
  ['appEngine', () => appEngine(), ['/hello', '/client', '/about']],
  ['appEngine with failOnError', () => appEngine({ failOnError: true }), ['/hello']],
  ['commonEngine', () => commonEngine({ bootstrap }), ['/hello']],
] as const)('%s', (_name, create, targets) => {
  it.each(targets)('renders %s into a document that answers can be filled in', async (target) => {
    const first = await ask(create(), target);
    const nonce = /ngcspnonce="([^"]*)"/i.exec(first.text)![1]!;
    expect(nonce).toMatch(/^[\w+/=]{24}$/);
    expect(first.policy).toBe(`script-src 'nonce-${nonce}'`);
    expect(first.text).toContain(`<style nonce="${nonce}">`);
    expect(first.text).not.toContain(PLACEHOLDER);
    if (target === '/hello') expect(first.text).toContain(`<style nonce="${nonce}">p{top:0}`);
    expect((await ask(create(), target)).text).not.toContain(nonce);
  });

  it('leaves alone what a page repeats of its request, were it the placeholder of the build', async () => {
    const { text, policy } = await ask(create(), `/hello?q=${PLACEHOLDER}`);
    const nonce = /ngcspnonce="([^"]*)"/i.exec(text)![1]!;
    expect(policy).toBe(`script-src 'nonce-${nonce}'`);
    expect(text).toContain(`/hello?q=${PLACEHOLDER} `);
    expect(text).not.toContain(`/hello?q=${nonce}`);
  });
});
