import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { type ParsedResponse, RawConnection, requestBytes } from '@ng-ssr/conformance';
import { type SlotOptions, type SsrError, type SsrOptions, withSlots } from '@ng-ssr/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stress } from '../../conformance/src/fuzz/extent.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

type Pair = readonly [request: IncomingMessage, response: ServerResponse];
/** May change what the listener gets. */
type Fault = (...pair: Pair) => Pair | void;
type ToListener = (options: SsrOptions) => RequestListener;

const { requests, seed } = fuzzOptions(stress(2000));
/** Turns of the event loop in which a request is answered that needs no timer. */
const TURNS = 20;

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
  'a once that throws': (_, response) => void (response.once = fail),
  'a setHeader that throws': (_, response) => {
    response.setHeader('X-Other', 'set');
    response.setHeader = fail;
  },
  'a Trailer without chunks': (_, response) => void response.setHeader('Trailer', 'X-Sum'),
  'a socket that throws': ({ socket }) => {
    Object.defineProperty(socket, 'encrypted', { get: fail, configurable: true });
  },
  'a header that no Request can have': ({ headers }) => void (headers['x-name'] = 'caf\u2014'),
  'an answer that is complete': (_, response) => void response.end('theirs'),
  'an answer that has begun': (_, response) => {
    response.write('theirs');
    setImmediate(() => response.destroy());
  },
  'a response that is destroyed': (_, response) => void response.destroy(),
};

/** What a client may write at the end of the request line of a plain connection. */
const VERSIONS = [
  ...['HTTP/2.0', 'HTTP/3.0', 'HTTP/0.9', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.1', 'HTTP/9.9'],
  ...['HTTP/2', 'HTTP/10.0', 'http/1.1', 'HTTPS/2.0', ''],
];

/** The start of a connection of HTTP/2 (RFC 9113 section 3.4), with an empty SETTINGS frame. */
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0';

/** What adapters and frameworks read of a request. */
const REQUEST_MEMBERS = [
  ...['url', 'method', 'headers', 'headersDistinct', 'rawHeaders', 'rawTrailers', 'trailers'],
  ...['httpVersion', 'httpVersionMajor', 'httpVersionMinor', 'socket', 'connection', 'stream'],
  ...['originalUrl', 'baseUrl', 'body', 'authority', 'complete', 'aborted', 'destroyed', 'errored'],
  ...['readable', 'readableEnded', 'on', 'once', 'off', 'pipe', 'unpipe', 'resume', 'destroy'],
];

/** What they read of a response. */
const RESPONSE_MEMBERS = [
  ...['statusCode', 'statusMessage', 'headersSent', 'finished', 'writable', 'writableEnded'],
  ...['writableFinished', 'destroyed', 'socket', 'connection', 'req', 'writeHead', 'write', 'end'],
  ...['setHeader', 'getHeader', 'getHeaders', 'getHeaderNames', 'hasHeader', 'appendHeader'],
  ...['removeHeader', 'flushHeaders', 'writeEarlyHints', 'on', 'once', 'off', 'emit', 'destroy'],
];

/** Every way to an answer but the streams of large files, which a framework may send itself. */
const TARGETS = ['/livez', '/', '/rendered', '/missing', '/%ff', '/slotted'];

/**
 * Nothing that is thrown while a request is answered leaves the request listener, where it would end
 * the process.
 *
 * @param toListener - Makes the listener that is under test.
 * @param more - Targets beside the usual ones.
 */
export function defineFaultSuite(
  name: string,
  toListener: ToListener,
  more: readonly string[] = [],
): void {
  const targets = [...TARGETS, ...more];

  describe(`${name}: a fault of another listener ends no process`, () => {
    test.each(Object.entries(FAULTS))('%s', async (_, fault) => {
      const server = await start(toListener);
      for (const target of targets) {
        server.fault = fault;
        const answer = await ask(server.port, target).catch(() => undefined);
        expect(server.thrown, target).toEqual([]);
        const codes = server.errors.splice(0).map(({ code }) => code);
        expect(codes.length, target).toBeLessThanOrEqual(1);
        // No framework has shown the stack of the error.
        expect(answer?.body.toString() ?? '', target).not.toMatch(/:\d+:\d+/);
        // No framework has seen a probe.
        if (target === '/livez' && answer?.status === 500) {
          expect(codes).toEqual(['NG_SSR_HANDLER_FAILED']);
        }
        server.fault = undefined;
        expect((await ask(server.port, '/'))?.status, target).toBe(200);
      }
    });

    test(`members that throw (seed ${seed})`, { timeout: 30_000 + 100 * requests }, async () => {
      const server = await start(toListener);
      const random = new Random(seed);
      for (let i = 0; i < requests; i++) {
        const ofRequest = membersOf(REQUEST_MEMBERS, random);
        const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);
        const target = random.pick(targets);
        // A stream to a response calls it in listeners of its own.
        const hasHostileResponse = target !== '/large.txt' && random.chance(0.5);
        const ofResponse = membersOf(hasHostileResponse ? RESPONSE_MEMBERS : [], random);
        let isCalled = (): void => undefined;
        const called = new Promise<void>((resolve) => (isCalled = resolve));
        server.fault = (request, response) => {
          isCalled();
          return [toHostile(request, ofRequest), toHostile(response, ofResponse)];
        };
        const what = JSON.stringify({ i, method, target, ofRequest, ofResponse });
        // Where the response can be used, there is one.
        if (ofResponse.length === 0) await ask(server.port, target, method, what);
        else await send(server.port, target, method, called);
        expect(server.thrown, what).toEqual([]);
      }
      server.fault = undefined;
      expect((await ask(server.port, '/'))?.status).toBe(200);
      expect((await ask(server.port, '/rendered'))?.status).toBe(200);
    });
  });

  describe(`${name}: the version in a request line decides nothing`, () => {
    test.each(VERSIONS)('%j', async (version) => {
      const { port, thrown } = await start(toListener);
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        for (const target of targets) {
          for (const host of ['Host: 127.0.0.1\r\n', '']) {
            const bytes = `${method} ${target} ${version}\r\n${host}\r\n`;
            const status = (await exchange(port, bytes, method))?.status ?? 400;
            expect(status, bytes).toBeLessThan(500);
            expect(thrown, bytes).toEqual([]);
            expect((await ask(port, '/'))?.status, bytes).toBe(200);
          }
        }
      }
    });

    test('the preface of HTTP/2', async () => {
      const { port, thrown } = await start(toListener);
      await exchange(port, PREFACE);
      expect((await ask(port, '/'))?.status).toBe(200);
      expect(thrown).toEqual([]);
    });
  });
}

interface Started {
  readonly port: number;
  readonly errors: SsrError[];
  /** What the listener has thrown, and what nothing has caught. */
  readonly thrown: unknown[];
  fault: Fault | undefined;
}

/** Every request of the path gets it, and its fill reads the request. */
const slotOn = (path: string, fill: SlotOptions['fill']): SlotOptions => ({
  ...{ routes: [path], when: () => true, fill },
});
const hostOf = ({ headers }: Request): string | null => headers.get('host');
const lateHostOf = async (request: Request): Promise<string | null> => {
  await turnOfLoop();
  return hostOf(request);
};

async function start(toListener: ToListener): Promise<Started> {
  const errors: SsrError[] = [];
  const listener = toListener({
    engine: ({ url }) => (url.endsWith('/rendered') ? new Response('page') : null),
    allowedHosts: ['127.0.0.1'],
    files: {
      folder: writeBuiltSite({
        'browser/index.html': prerendered('home'),
        'browser/slotted/index.html': prerendered('slotted'),
        'browser/late/index.html': prerendered('late'),
        'browser/large.txt': 'large '.repeat(1000),
      }),
      maxFileBytes: 1000,
    },
    features: [withSlots({ now: slotOn('/slotted', hostOf), late: slotOn('/late', lateHostOf) })],
    probes: { live: '/livez' },
    errorDetails: false,
    onError: (error) => errors.push(error),
  });
  const started: Started = { port: 0, errors, thrown: uncaughtErrors(), fault: undefined };
  const server = createServer((request, response) => {
    try {
      listener(...(started.fault?.(request, response) ?? [request, response]));
    } catch (error) {
      started.thrown.push(error);
      response.destroy();
    }
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return Object.assign(started, { port: (server.address() as AddressInfo).port });
}

/** Gets each error that would end the process. */
function uncaughtErrors(): unknown[] {
  const errors: unknown[] = [];
  const note = (error: unknown): void => void errors.push((error as Error).stack ?? error);
  process.on('uncaughtException', note).on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('uncaughtException', note).off('unhandledRejection', note);
  });
  return errors;
}

/** One to three of these. */
function membersOf(names: readonly string[], random: Random): readonly string[] {
  if (names.length === 0) return [];
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(names));
}

/** The object of node:http, of which some members throw for others than node:http. */
function toHostile<Of extends object>(object: Of, names: readonly string[]): Of {
  return new Proxy(object, {
    get(target, name) {
      if (names.includes(name as string)) fail();
      const member: unknown = Reflect.get(target, name);
      // The methods of node:http, and the listeners that they add, get the object itself.
      const isMethod = typeof member === 'function' && name !== 'constructor';
      return isMethod && name !== 'writeHead' ? member.bind(target) : member;
    },
  });
}

/** As {@link exchange}, with a request. */
function ask(
  port: number,
  target: string,
  method = 'GET',
  what?: string,
): Promise<ParsedResponse | undefined> {
  const bytes = requestBytes({ method, target, headers: { host: '127.0.0.1' } });
  return exchange(port, bytes, method, what);
}

/** Sends a request that may stay without an answer, and leaves when the server had time for one. */
async function send(
  port: number,
  target: string,
  method: string,
  called: Promise<void>,
): Promise<void> {
  const connection = await RawConnection.open(port);
  connection.write(requestBytes({ method, target, headers: { host: '127.0.0.1' } }));
  await called;
  for (let turn = 0; turn < TURNS; turn++) await turnOfLoop();
  connection.destroy();
  await connection.closed;
}

/**
 * Sends bytes.
 *
 * @param what - For the message of a failure.
 * @returns the answer; undefined where the connection has ended without one.
 * @throws Error if neither happens.
 */
async function exchange(
  port: number,
  bytes: string | Uint8Array,
  method = 'GET',
  what = String(bytes),
): Promise<ParsedResponse | undefined> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  connection.write(bytes);
  try {
    return await connection.read(method);
  } catch (cause) {
    if ((cause as Error).message.startsWith('The connection ended')) return undefined;
    throw new Error(`No answer: ${what}`, { cause });
  } finally {
    connection.end();
  }
}
