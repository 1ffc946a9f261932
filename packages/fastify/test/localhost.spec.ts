import dns from 'node:dns';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { createFastifySsrServer, type FastifySsrServerOptions } from '@ng-ssr/fastify/server';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSite } from './site.ts';

const ADDRESSES = ['127.0.0.1', '::1'] as const;
const interfaces = Object.values(networkInterfaces()).flat();
const hasBoth = ADDRESSES.every((address) =>
  interfaces.some((found) => found?.address === address),
);

/** A machine whose hosts file has both, or not, is one that has. */
function resolveToBoth(): void {
  const found = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  const spies = [
    vi.spyOn(dns, 'lookup').mockImplementation(((host: string, ...rest: unknown[]) => {
      const callback = rest.pop() as (error: null, ...result: unknown[]) => void;
      const isAll = (rest[0] as dns.LookupOptions | undefined)?.all === true;
      const [first = found[0]!, ...others] = found.filter(
        ({ address }) => host === 'localhost' || host === address,
      );
      const result = isAll ? [[first, ...others]] : [first.address, first.family];
      process.nextTick(() => callback(null, ...result));
    }) as typeof dns.lookup),
    vi.spyOn(dns.promises, 'lookup').mockResolvedValue(found as never),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
}

async function start(options: Partial<FastifySsrServerOptions>) {
  const server = createFastifySsrServer({ ...createSite(), ...options });
  onTestFinished(() => server.close());
  server.app.addHook('onRequest', async (_, reply) => void reply.header('x-hook', 'ran'));
  const { port } = await server.listen({
    port: 0,
    host: 'localhost',
    announce: false,
    shutdown: false,
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const ask = async (host: string, path: string) => {
    const request = get({ agent, host, port, path, headers: { host: '127.0.0.1' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { body: await text(response), headers: response.headers };
  };
  return { server, port, ask };
}

describe('on localhost with two addresses', () => {
  beforeEach((context) => {
    context.skip(!hasBoth, 'this machine has no loopback address of IPv6');
    resolveToBoth();
  });

  test('both answer before middleware, and probes', async () => {
    const { ask } = await start({ serveHits: 'before-middleware', probes: { live: '/livez' } });
    for (const host of ADDRESSES) {
      for (const path of ['/held', '/livez']) {
        const { headers } = await ask(host, path);
        expect(headers, `${host} ${path}`).not.toHaveProperty('x-hook');
      }
      expect((await ask(host, '/page')).headers).toHaveProperty('x-hook', 'ran');
    }
  });

  test('requests in flight are answered at both when the server ends', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const landings: ((page: Response) => void)[] = [];
    const engine = () => new Promise<Response>((resolve) => void landings.push(resolve));
    const { server, port, ask } = await start({ engine });
    const answers = ADDRESSES.map((host) => ask(host, `/page-of-${host === '::1' ? 6 : 4}`));
    await expect.poll(() => landings.length).toBe(2);
    const closed = server.close();
    await expect.poll(() => server.app.server.listening).toBe(false);
    for (const land of landings) land(new Response('page'));
    for (const { body, headers } of await Promise.all(answers)) {
      expect([body, headers.connection]).toEqual(['page', 'close']);
    }
    await closed;
    for (const host of ADDRESSES) {
      await expect(once(get({ host, port }), 'response')).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
    }
    expect(said).not.toHaveBeenCalled();
  });
});

test('an address that cannot be had is left out', async () => {
  const found = [
    { address: '127.0.0.1', family: 4 },
    { address: '192.0.2.77', family: 4 },
  ];
  const lookup = vi.spyOn(dns.promises, 'lookup').mockResolvedValue(found as never);
  onTestFinished(() => lookup.mockRestore());
  const { ask } = await start({});
  expect((await ask('127.0.0.1', '/held')).body).toContain('held');
});
