import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { countWork } from '../../core/test/count-work.ts';
import { createSite } from './site.ts';

test('a hit in the pipeline lane makes no promise and asks neither disk nor hash', async () => {
  const ssr = createFastifySsrServer(createSite());
  await ssr.ready();
  let work: Record<string, number> | undefined;
  const server = createServer((request, response) => {
    work = countWork(
      () => ssr.reqHandler(request, response),
      (caller) => !caller.includes('node:_http'),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let request = 0; request < 3; request++) {
    const answer = await fetch(`http://127.0.0.1:${port}/held`);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  }
  expect(work).toEqual({});
  server.close();
  await ssr.close();
});
