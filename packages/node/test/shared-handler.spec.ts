import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { shutDownOnSignals, ssrMiddleware } from '@ng-ssr/node/server';
import { expect, test } from 'vitest';
import { createStoredSite, getFrom } from './stored-site.ts';
import { NO_SIGNALS } from './shutdown/no-signals.ts';

test('of two servers over one handler the end of the first leaves it to the other', async () => {
  const { options, store } = createStoredSite();
  const ssr = ssrMiddleware({ ...options, probes: { ready: '/readyz' } });
  const open = async () => {
    const server = createServer((request, response) => {
      ssr(request, response, () => response.writeHead(404).end());
    }).listen(0, '127.0.0.1');
    const close = shutDownOnSignals(server, ssr, false);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { get: getFrom(port), close };
  };
  const [idle, busy] = [await open(), await open()];
  await ssr.ready();
  await idle.close();
  expect(store.isClosed).toBe(false);
  expect(await busy.get('/readyz')).toBe('ok\n');
  expect(await busy.get('/a')).toBe('render 1');
  await busy.close();
  expect(store.isClosed).toBe(true);
});

test('a server that its owner has closed, and one that could not listen, are not waited for', async () => {
  const { options, store } = createStoredSite();
  const ssr = ssrMiddleware(options);
  const open = (port: number) => {
    const server = createServer().listen(port, '127.0.0.1');
    return { server, close: shutDownOnSignals(server, ssr, false) };
  };
  const [own, last] = [open(0), open(0)];
  await Promise.all([once(own.server, 'listening'), once(last.server, 'listening')]);
  const refused = open((last.server.address() as AddressInfo).port);
  await expect(once(refused.server, 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await once(own.server.close(), 'close');
  expect(store.isClosed).toBe(false);
  await last.close();
  expect(store.isClosed).toBe(true);
});

test('a server that begins to listen after the signal ends with the others, and loses nothing', async (context) => {
  context.skip(NO_SIGNALS !== undefined, NO_SIGNALS);
  const program = `
    import { createNodeSsrServer, withRouter } from '@ng-ssr/node/server';
    const create = (ms, begin) => {
      const server = createNodeSsrServer({
        engine: () => null,
        allowedHosts: ['127.0.0.1'],
        features: [withRouter()],
      });
      server.router.get('/', (_, response) => {
        begin?.();
        setTimeout(() => response.end('late'), ms);
      });
      return server;
    };
    const ask = async (server) => {
      const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
      return (await fetch('http://127.0.0.1:' + port)).text();
    };
    const first = ask(create(300, () => process.kill(process.pid, 'SIGTERM')));
    process.once('SIGTERM', () => ask(create(900)).then((text) => console.log('second', text)));
    console.log('first', await first);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect({ output, code }).toEqual({ output: 'first late\nsecond late\n', code: 0 });
});
