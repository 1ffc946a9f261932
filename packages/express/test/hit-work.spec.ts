import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { countWork } from '../../core/test/count-work.ts';

test.each(['pipeline', 'front'] as const)(
  'a hit in the %s lane runs no regular expression, promise, URL, Request, fs, hash or coding',
  async (lane) => {
    const ssr = createExpressSsrServer({
      engine: () => null,
      allowedHosts: ['127.0.0.1'],
      browserFolder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(60_000)) }),
      lane,
    });
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
    for (let request = 0; request < 2; request++) {
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
    expect(work).toEqual({});
    server.close();
  },
);
