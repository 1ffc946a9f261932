import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { isNginxMissing, type Nginx, startNginx } from './nginx-server.ts';

const asked: string[] = [];
const server = createNodeSsrServer({
  engine: ({ url }) => new Response(url, { headers: { 'content-type': 'text/plain' } }),
  allowedHosts: async (host) => {
    asked.push(host);
    return Promise.resolve(host === 'shop.example');
  },
  trustProxyHeaders: ['x-forwarded-host', 'x-forwarded-proto'],
  onError: () => undefined,
});

async function get(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<readonly [status: number | undefined, content: string]> {
  const sent = request({ port, host: '127.0.0.1', path: '/page', headers }).end();
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      text(response).then((content) => resolve([response.statusCode, content]), reject);
    });
  });
}

// As an ingress reaches a pod: by its address, which is the Host unless the configuration says otherwise.
describe.skipIf(isNginxMissing())('behind nginx, by address', () => {
  let nginx: Nginx;
  let port: number;

  beforeAll(async () => {
    ({ port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false }));
    nginx = await startNginx(`
      proxy_pass http://127.0.0.1:${port};
      proxy_set_header X-Forwarded-Host $host;
      proxy_set_header X-Forwarded-Proto https;`);
  });
  afterAll(async () => {
    await nginx.stop();
    await server.close();
  });

  test("the client's host counts, not the pod's address", async () => {
    const answer = await get(nginx.port, { host: 'Shop.example' });
    expect(answer).toEqual([200, 'https://shop.example/page']);
    expect(asked).toEqual(['shop.example']);
  });

  test('a header that the client has sent is overwritten', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'shop.example' };
    expect(await get(nginx.port, headers)).toEqual([400, '400 Bad Request\n\n' + refusal]);
  });

  test("a request to the pod's address gets no page", async () => {
    expect((await get(port, { host: `127.0.0.1:${port}` }))[0]).toBe(400);
  });
});

const refusal =
  'The function allowedHosts refused the host evil.example.\n\n' +
  'https://github.com/ng-ssr/ng-ssr/blob/main/docs/errors.md#ng_ssr_host_not_allowed\n';
