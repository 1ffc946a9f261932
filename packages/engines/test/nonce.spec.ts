import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exchange, type RenderEngine, SsrHandler } from '@ng-ssr/core';
import { ɵsetAngularAppManifest } from '@angular/ssr';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { appEngine, commonEngine } from '../src/index.ts';
import { bootstrap, document } from './fixture/app.ts';
import { setManifests } from './fixture/built-app.ts';

const PLACEHOLDER = 'bm9uY2UtaGVyZQ';
const SERVER = 0;
const CLIENT = 1;
const PRERENDER = 2;
const marked = document
  .replace('<app-root>', `<app-root ngCspNonce="${PLACEHOLDER}">`)
  .replace('</head>', `<style nonce="${PLACEHOLDER}">a{}</style></head>`);
const asset = (text: string) => ({ size: text.length, hash: 'h', text: async () => text });
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-nonce-'));
const browserFolder = join(folder, 'browser');

beforeAll(() => {
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  mkdirSync(browserFolder);
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'server/index.server.html'), marked);
  setManifests(bootstrap);
  ɵsetAngularAppManifest({
    bootstrap: async () => bootstrap,
    baseHref: '/',
    nonce: PLACEHOLDER,
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
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function toExchange(target: string): Exchange {
  return {
    method: 'GET',
    target,
    encrypted: false,
    status: 200,
    header: (name) => (name === 'host' ? 'shop.example' : undefined),
    headers: () => [['host', 'shop.example']],
    content: () => Promise.resolve(undefined),
  };
}

async function ask(
  engine: RenderEngine,
  target: string,
): Promise<{ text: string; policy: string }> {
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['shop.example'],
    browserFolder,
    cache: { nonce: { placeholder: PLACEHOLDER, policy: `script-src 'nonce-${PLACEHOLDER}'` } },
  });
  const exchange = toExchange(target);
  const { body, headers, status } = (await handler.render(exchange))!;
  await handler.close();
  expect(status).toBe(200);
  const at = headers.findIndex((name) => name.toLowerCase() === 'content-security-policy');
  return { text: Buffer.from(body!).toString(), policy: headers[at + 1]! };
}

describe.each([
  ['appEngine', () => appEngine(), ['/hello', '/client', '/about']],
  ['appEngine without failOnError', () => appEngine({ failOnError: false }), ['/hello']],
  ['commonEngine', () => commonEngine({ bootstrap }), ['/hello']],
] as const)('%s', (_name, create, targets) => {
  it.each(targets)('renders %s into a document that answers can be filled in', async (target) => {
    const first = await ask(create(), target);
    const nonce = /ngcspnonce="([^"]*)"/i.exec(first.text)![1]!;
    expect(nonce).toMatch(/^[\w+/=]{24}$/);
    expect(first.policy).toBe(`script-src 'nonce-${nonce}'`);
    expect(first.text).toContain(`<style nonce="${nonce}">`);
    expect(first.text).not.toContain(PLACEHOLDER);
    expect((await ask(create(), target)).text).not.toContain(nonce);
  });
});
