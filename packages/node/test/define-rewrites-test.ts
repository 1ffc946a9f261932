import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request as send,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SsrOptions } from '@ng-ssr/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { countParsed } from './count-parsed.ts';

/** User code that gets the request of node:http after it was looked up, and before it is rendered. */
export type Rewrite = (request: IncomingMessage, response: ServerResponse) => void;
/** Makes the listener of a server or middleware. */
export type ToListener = (options: SsrOptions, rewrite: Rewrite) => RequestListener;

/** Echoes what was asked for. The application has no page `/nobody`. */
function echo({ url, headers }: Request): Response | null {
  if (url.endsWith('/nobody')) return null;
  const shown = ['cookie', 'x-tenant'].map((name) => headers.get(name) ?? '-');
  return new Response([url, ...shown].join(' '), {
    headers: { 'cache-control': 's-maxage=60', vary: 'x-tenant', 'content-type': 'text/html' },
  });
}

const OPTIONS: SsrOptions = {
  engine: echo,
  allowedHosts: ['a.example', 'b.example'],
  trustProxyHeaders: ['x-forwarded-host', 'x-forwarded-proto'],
  routeRules: { '/cookie': { sMaxAge: 60, vary: { cookies: ['who'] } } },
  onError: () => undefined,
};

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks for a path of the host `a.example`. */
type Ask = (
  path: string,
  asked?: Asked,
) => Promise<{ status: number; body: string; message: IncomingMessage }>;

async function serve(listener: RequestListener): Promise<Ask> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (path, { method = 'GET', headers = {} } = {}) => {
    const request = send({
      ...{ port, path, method, agent: false, host: '127.0.0.1' },
      headers: { host: 'a.example', ...headers },
    }).end();
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    return { status: message.statusCode!, body: await text(message), message };
  };
}

/** Replaces a header where Node has received it, so that `headers` need not have been read. */
function replaceRaw({ rawHeaders }: IncomingMessage, name: string, value: string): void {
  const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
  rawHeaders[at + 1] = value;
}

/** What is done to a GET of `/from`, and the page that its client then gets. */
const REWRITES: Readonly<Record<string, readonly [rewrite: Rewrite, page: string]>> = {
  'the target': [(request) => (request.url = '/to'), 'http://a.example/to - -'],
  'the target, and back': [
    (request) => {
      const { url } = request;
      request.url = '/to';
      request.url = url;
    },
    'http://a.example/from - -',
  ],
  'X-Forwarded-Host': [
    ({ headers }) => (headers['x-forwarded-host'] = 'b.example'),
    'http://b.example/from - -',
  ],
  'X-Forwarded-Proto': [
    ({ headers }) => (headers['x-forwarded-proto'] = 'https'),
    'https://a.example/from - -',
  ],
  'Host, as received': [
    (request) => replaceRaw(request, 'host', 'b.example'),
    'http://b.example/from - -',
  ],
  'a header of Vary': [
    ({ headers }) => (headers['x-tenant'] = 'red'),
    'http://a.example/from - red',
  ],
};

/**
 * Requests that user code rewrites between their first look-up and their render: nothing that was read before may
 * decide, and what has not changed is not read again.
 *
 * @param areRoutesLater - Whether the method may still be rewritten: the framework has not chosen a route by it.
 */
export function defineRewritesTest(
  name: string,
  toListener: ToListener,
  { areRoutesLater = true }: { readonly areRoutesLater?: boolean } = {},
): void {
  describe(`${name}, where a request is rewritten after its look-up`, () => {
    test.each(Object.entries(REWRITES))('%s', async (_, [rewrite, page]) => {
      let isOn = false;
      const ask = await serve(
        toListener(OPTIONS, (request, response) => isOn && rewrite(request, response)),
      );
      const plain = 'http://a.example/from - -';
      isOn = true;
      expect((await ask('/from')).body).toBe(page);
      isOn = false;
      expect((await ask('/from')).body).toBe(plain);
      // Each is stored now, for what it was rendered for.
      isOn = true;
      const again = await ask('/from', { headers: { 'x-tenant': 'blue' } });
      expect(again.body).toBe(page.endsWith('red') ? page : page.replace(/-$/, 'blue'));
    });

    if (areRoutesLater) defineMethods(toListener);

    test('a host that is not allowed is refused', async () => {
      const ask = await serve(
        toListener(OPTIONS, (request) => {
          if (request.url === '/raw') replaceRaw(request, 'host', 'evil.example');
          else request.headers['x-forwarded-host'] = 'evil.example';
        }),
      );
      for (const path of ['/raw', '/forwarded']) {
        const { status, body } = await ask(path);
        expect([path, status, body.includes('evil.example/')]).toEqual([path, 400, false]);
      }
    });

    test('a cookie that a rule names is that of the page', async () => {
      let who = 'one';
      const ask = await serve(
        toListener(OPTIONS, ({ headers }) => (headers.cookie = `who=${who}`)),
      );
      expect((await ask('/cookie')).body).toContain('who=one');
      who = 'two';
      expect((await ask('/cookie')).body).toContain('who=two');
    });

    test('Accept-Encoding is the one at the end', async () => {
      const engine = (): Response =>
        new Response('x'.repeat(5000), { headers: { 'content-type': 'text/html' } });
      const ask = await serve(
        toListener({ ...OPTIONS, engine }, ({ headers }) => delete headers['accept-encoding']),
      );
      const { message } = await ask('/from', { headers: { 'accept-encoding': 'gzip' } });
      expect(message.headers['content-encoding']).toBeUndefined();
    });

    test('a request is read once', async () => {
      const ask = await serve(toListener(OPTIONS, () => undefined));
      // The first request starts the server.
      await ask('/warm');
      expect(await countParsed(() => ask('/miss'))).toBe(1);
      expect(await countParsed(() => ask('/nobody'))).toBe(1);
    });

    test('a request that is answered while it is answered elsewhere, too, has both answers', async () => {
      const others: ServerResponse[] = [];
      const listener = toListener(OPTIONS, (request) => {
        if (request.url !== '/twice' || others.length > 0) return;
        const response = new ServerResponse(request);
        others.push(response);
        listener(request, response);
      });
      const ask = await serve(listener);
      await ask('/warm');
      const { status, body } = await ask('/twice');
      expect([status, body]).toEqual([200, 'http://a.example/twice - -']);
      await vi.waitFor(() => expect(others.map((each) => each.headersSent)).toEqual([true]));
    });
  });
}

function defineMethods(toListener: ToListener): void {
  test('a POST becomes a GET', async () => {
    const ask = await serve(toListener(OPTIONS, (request) => void (request.method = 'GET')));
    const { status, body } = await ask('/from', { method: 'POST' });
    expect([status, body]).toEqual([200, 'http://a.example/from - -']);
  });

  test('a GET becomes a POST', async () => {
    const ask = await serve(toListener(OPTIONS, (request) => void (request.method = 'POST')));
    expect((await ask('/from')).status).toBe(405);
  });
}

/** User code that sets a status in the same place, for frameworks that leave it as it is. */
export function defineEarlierStatusTest(name: string, toListener: ToListener): void {
  describe(`${name}, where a status is set after the look-up`, () => {
    test('a page with an earlier status is not stored', async () => {
      let renders = 0;
      const engine = (): Response =>
        new Response(`render ${++renders}`, { headers: { 'cache-control': 's-maxage=60' } });
      const files = { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) };
      let status = 404;
      const ask = await serve(
        toListener({ ...OPTIONS, engine, files }, (_, response) => {
          response.statusCode = status;
        }),
      );
      const first = await ask('/from');
      status = 200;
      const second = await ask('/from');
      expect([first.status, first.body]).toEqual([404, 'render 1']);
      expect([second.status, second.body]).toEqual([200, 'render 2']);
    });
  });
}
