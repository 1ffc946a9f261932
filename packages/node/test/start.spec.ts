import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

/** Listens, and prints which of Node's own modules are loaded by then. */
const PROGRAM = `
  import { createNodeSsrServer } from '@ng-ssr/node/server';
  const server = createNodeSsrServer({ engine: () => null, allowedHosts: ['localhost'] });
  await server.listen({ port: 0, announce: false, shutdown: false });
  console.log(JSON.stringify(process.moduleLoadList));
  await server.close();
`;

/** As {@link PROGRAM}, after hits that name another version, and with middleware that replaces writeHead. */
const ANSWERING = `
  import { once } from 'node:events';
  import { connect } from 'node:net';
  import { createNodeSsrServer } from '@ng-ssr/node/server';
  const server = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['localhost'],
    files: { folder: process.argv.at(-1) },
  });
  server.use((request, response, next) => {
    const { writeHead } = response;
    response.writeHead = (...parameters) => writeHead.apply(response, parameters);
    next();
  });
  const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
  for (const version of ['HTTP/1.0', 'HTTP/2.0']) {
    const socket = connect(port, 'localhost').resume();
    socket.write('GET / ' + version + '\\r\\nHost: localhost\\r\\n\\r\\n');
    await once(socket, 'close');
  }
  console.log(JSON.stringify(process.moduleLoadList));
  await server.close();
`;

function modulesLoadedBy(program: string, ...parameters: string[]): string[] {
  const args = ['--input-type=module', '--eval', program, ...parameters];
  const output = execFileSync(process.execPath, args, { cwd: import.meta.dirname });
  return JSON.parse(String(output)) as string[];
}

test('a server listens without having loaded fetch or HTTP/2', () => {
  const loaded = modulesLoadedBy(PROGRAM);
  expect(loaded).toContain('NativeModule http');
  expect(loaded).not.toContain('NativeModule internal/deps/undici/undici');
  expect(loaded).not.toContain('NativeModule http2');
});

test('a server answers requests of node:http without having loaded HTTP/2', () => {
  const folder = writeBuiltSite({ 'browser/index.html': prerendered('home') });
  expect(modulesLoadedBy(ANSWERING, folder)).not.toContain('NativeModule http2');
});
