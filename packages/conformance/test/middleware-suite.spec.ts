import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaseContext } from '../src/case-context.ts';
import type { ClientResponse } from '../src/client.ts';
import { createFixtureSite, type FixtureSite } from '../src/fixture-site.ts';
import { middlewareCases } from '../src/middleware/cases.ts';
import { RequestLog } from '../src/middleware/request-log.ts';
import { defineMiddlewareSuite } from '../src/middleware/suite.ts';
import { createStubEngine } from '../src/stub-engine.ts';

const server = createServer((_, response) => response.end('a page'));
let site: FixtureSite;

beforeAll(async () => {
  site = await createFixtureSite();
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await site.dispose();
});

it.each(middlewareCases)('notices a server without middleware: $name', async ({ run }) => {
  const { port } = server.address() as AddressInfo;
  const bare = { port, close: () => undefined };
  const running = { server: bare, engine: createStubEngine(), errors: [] };
  const context = createCaseContext(
    site,
    running,
    async () => running,
    () => undefined,
  );
  await expect(run(context)).rejects.toThrow();
});

it('refuses expected failures that are no case', () => {
  const createServer = () => ({ close: () => undefined });
  const expectedFailures = { 'middleware headers › no such sentence': 'a reason' };
  expect(() => defineMiddlewareSuite({ name: 'x', createServer, expectedFailures })).toThrow(
    /x names no case/,
  );
});

const page: ClientResponse = {
  status: 200,
  headers: [['Content-Length', '3']],
  body: Buffer.from('abc'),
};

function logged(response: ClientResponse, ...lines: { status: number; length?: number }[]) {
  const log = new RequestLog();
  const client = log.watch({
    request: async () => {
      for (const { status, length } of lines) log.add({ status, length });
      return response;
    },
  });
  return client.request({ target: '/' });
}

it('takes one line per request with what was sent', async () => {
  await expect(logged(page, { status: 200, length: 3 })).resolves.toBe(page);
  const counted = { ...page, headers: [] };
  await expect(logged(counted, { status: 200 })).resolves.toBe(counted);
  await expect(logged(counted, { status: 200, length: 3 })).resolves.toBe(counted);
});

it('notices a wrong status, a wrong length and a second line', async () => {
  await expect(logged(page, { status: 404, length: 3 })).rejects.toThrow('logged as 404');
  await expect(logged(page, { status: 200 })).rejects.toThrow('logged as undefined');
  await expect(logged(page, { status: 200, length: 4 })).rejects.toThrow('logged as 4');
  const line = { status: 200, length: 3 };
  await expect(logged(page, line, line)).rejects.toThrow('more requests were logged');
});
