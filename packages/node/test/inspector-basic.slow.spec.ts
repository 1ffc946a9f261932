import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createNodeSsrServer, withInspector } from '@ng-ssr/node/server';
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
} from '../../../examples/material-app/test/browser.ts';

const PATH = '/_ng-ssr/inspector';
const TOKEN = 'a-token-of-this-test';
const USER = 'ann:password';

const chromium = findChromium();
if (chromium === undefined && process.env['CI']) throw new Error(NO_CHROMIUM);

/** A proxy that asks for a user, in front of a server with an inspector. */
async function startBehindBasic(): Promise<{ origin: string; refused: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-basic-'));
  const server = createNodeSsrServer({
    engine: () => new Response('page'),
    allowedHosts: ['127.0.0.1'],
    files: { folder },
    features: [withInspector({ path: PATH, token: TOKEN })],
  });
  const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  const refused: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    if (headers.authorization !== `Basic ${btoa(USER)}`) {
      refused.push(`${method} ${path}`);
      outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="shop"' }).end();
      return;
    }
    const toServer = { ...headers, host: `127.0.0.1:${port}` };
    const sent = request({ host: '127.0.0.1', port, method, path, headers: toServer }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return { origin: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, refused };
}

test.skipIf(chromium === undefined)(
  'behind HTTP Basic a browser signs in, and keeps the user of the proxy',
  async () => {
    const { origin, refused } = await startBehindBasic();
    const browser = await openBrowser(chromium!);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    // A page of the site has the user in its URL. Later a prompt would stay without an answer, and be a 401 here.
    await page.goto(`http://${USER}@${origin}/`);
    const url = `http://${origin}${PATH}`;
    refused.length = 0;
    await page.goto(url);
    for (const token of ['a-wrong-token-of-this-test', TOKEN]) {
      await page.fill('input[name=token]', token, { timeout: 5000 });
      await Promise.all([page.waitForNavigation({ timeout: 5000 }), page.click('button')]);
    }
    expect(page.url()).toBe(url);
    await page.waitForSelector('#connection', { timeout: 5000 });
    expect(refused).toEqual([]);
  },
);
