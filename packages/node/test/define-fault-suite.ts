import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ParsedResponse, RawConnection, requestBytes } from '@ng-ssr/conformance';
import type { SsrError, SsrOptions } from '@ng-ssr/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

type Fault = (request: IncomingMessage, response: ServerResponse) => void;

function fail(): never {
  throw new Error('fault');
}

/** What another listener of the same server may have done to a request before ours sees it. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'a reason phrase that cannot be sent': (_, response) => {
    response.statusMessage = 'caf\u2014';
  },
  'a writeHead that throws': (_, response) => void (response.writeHead = fail),
  'an end that throws': ({ url }, response) => {
    if (url !== '/large.txt') response.end = fail;
  },
  'a setHeader that throws': (_, response) => {
    response.setHeader('X-Other', 'set');
    response.setHeader = fail;
  },
  'a Trailer without chunks': (_, response) => void response.setHeader('Trailer', 'X-Sum'),
  'a socket that throws': ({ socket }) => {
    Object.defineProperty(socket, 'encrypted', { get: fail, configurable: true });
  },
  'an answer that is complete': (_, response) => void response.end('theirs'),
  'an answer that has begun': (_, response) => {
    response.write('theirs');
    setImmediate(() => response.destroy());
  },
  'a response that is destroyed': (_, response) => void response.destroy(),
};

/** Every way to an answer but the streams of large files, which a framework may send itself. */
const TARGETS = ['/livez', '/', '/rendered', '/missing', '/%ff'];

/**
 * Nothing that is thrown while a request is answered leaves the request listener, where it would end
 * the process.
 *
 * @param toListener - Makes the listener that is under test.
 * @param more - Targets beside the usual ones.
 */
export function defineFaultSuite(
  name: string,
  toListener: (options: SsrOptions) => RequestListener,
  more: readonly string[] = [],
): void {
  describe(`${name}: a fault of another listener ends no process`, () => {
    test.each(Object.entries(FAULTS))('%s', async (_, fault) => {
      const errors: SsrError[] = [];
      const thrown: unknown[] = [];
      const listener = toListener({
        engine: ({ url }) => (url.endsWith('/rendered') ? new Response('page') : null),
        allowedHosts: ['127.0.0.1'],
        files: {
          folder: writeBuiltSite({
            'browser/index.html': prerendered('home'),
            'browser/large.txt': 'large '.repeat(1000),
          }),
          maxFileBytes: 1000,
        },
        probes: { live: '/livez' },
        onError: (error) => errors.push(error),
      });
      let hasFault = true;
      const server = createServer((request, response) => {
        try {
          if (hasFault) fault(request, response);
          listener(request, response);
        } catch (error) {
          thrown.push(error);
          response.destroy();
        }
      });
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      for (const target of [...TARGETS, ...more]) {
        hasFault = true;
        const answer = await ask(port, target);
        expect(thrown, target).toEqual([]);
        const codes = errors.splice(0).map(({ code }) => code);
        expect(codes.length, target).toBeLessThanOrEqual(1);
        // No framework has seen a probe.
        if (target === '/livez' && answer?.status === 500) {
          expect(codes).toEqual(['NG_SSR_HANDLER_FAILED']);
        }
        hasFault = false;
        expect((await ask(port, '/'))?.status, target).toBe(200);
      }
    });
  });
}

/** @returns the answer; undefined where the connection has ended without one. */
async function ask(port: number, target: string): Promise<ParsedResponse | undefined> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  connection.write(requestBytes({ target, headers: { host: '127.0.0.1' } }));
  const answer = await connection.read().catch(() => undefined);
  connection.end();
  return answer;
}
