/** Headers that are added without `setHeader` are sent as if it had set them. */
import { once } from 'node:events';
import { type ClientRequest, createServer, get, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { fuzzOptions, Random } from '@ng-ssr/conformance/fuzz';
import { setHeaders } from '@ng-ssr/node/adapter';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

const { setHeader } = ServerResponse.prototype;

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

/** A response whose headers are all set by `setHeader`, as of those with a method of others. */
function observed(response = newResponse()): { response: ServerResponse; set: string[] } {
  const set: string[] = [];
  response.setHeader = (name, value) => {
    set.push(name);
    return Reflect.apply(setHeader, response, [name, value]) as ServerResponse;
  };
  return { response, set };
}

function headersOf(response: ServerResponse): unknown {
  // The types know it of requests alone.
  const names = (response as object as ClientRequest).getRawHeaderNames();
  return [names, Object.entries(response.getHeaders())];
}

beforeAll(() => {
  // The first answers of a process are all set by `setHeader`.
  for (let i = 0; i < 300; i++) setHeaders(newResponse(), ['X-First', String(i)]);
});

const NAMES = [
  ...['Vary', 'vary', 'Cache-Control', 'ETag', 'CDN-Cache-Control', 'Cache-Tag', 'Set-Cookie'],
  ...['Content-Type', 'X-A', 'x-a', '12', 'constructor', '__proto__', 'Age'],
];
const VALUES = ['a', '', 'b, c', 'ng-p-1', 'private', 'no-store', 'max-age=1', '*', '\u00e9'];

const { requests, seed } = fuzzOptions(3000);

test(`random headers beside random ones of middleware (seed ${seed})`, () => {
  const random = new Random(seed);
  const listOf = (most: number): string[] =>
    Array.from({ length: random.below(most) }, () => [
      random.pick(NAMES),
      random.pick(VALUES),
    ]).flat();
  for (let i = 0; i < requests; i++) {
    const [ofMiddleware, ofPage] = [listOf(4), listOf(8)];
    const [added, reference] = [newResponse(), observed().response];
    for (const response of [added, reference]) {
      for (let at = 0; at < ofMiddleware.length; at += 2) {
        response.appendHeader(ofMiddleware[at]!, ofMiddleware[at + 1]!);
      }
      setHeaders(response, ofPage);
    }
    const shown = JSON.stringify({ ofMiddleware, ofPage });
    expect(headersOf(added), shown).toEqual(headersOf(reference));
  }
});

test('they are on the wire', async () => {
  const page = ['content-length', '2', 'Vary', 'Accept-Encoding', 'ETag', '"a"'];
  const server = createServer((request, given) => {
    given.setHeader('X-Id', '1');
    given.setHeader('Vary', 'Origin');
    setHeaders(request.url === '/observed' ? observed(given).response : given, page);
    given.sendDate = false;
    given.end('ok');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const rawHeadersAt = async (path: string): Promise<string[]> => {
    const asked = get({ host: '127.0.0.1', port, path, agent: false });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.rawHeaders;
  };
  const sent = await rawHeadersAt('/');
  expect(sent).toEqual(await rawHeadersAt('/observed'));
  expect(sent.slice(0, 4)).toEqual(['X-Id', '1', 'Vary', 'Origin, Accept-Encoding']);
});

test('an invalid header throws, also in a list that was valid before', () => {
  const list = ['X-A', 'a', 'X-B', 'b'];
  setHeaders(newResponse(), list);
  setHeaders(newResponse(), list);
  list[3] = 'b\r\nX-C: c';
  expect(() => setHeaders(newResponse(), list)).toThrow('Invalid character in header content');
  expect(() => setHeaders(newResponse(), ['X A', 'a'])).toThrow('must be a valid HTTP token');
});

test('what changes one response changes no other', () => {
  const list = ['Link', '<a>', 'X-A', 'a'];
  const [first, second] = [newResponse(), newResponse()];
  setHeaders(first, list);
  first.appendHeader('Link', '<b>');
  first.removeHeader('X-A');
  setHeaders(second, list);
  expect(second.getHeaders()).toEqual({ link: '<a>', 'x-a': 'a' });
  expect(first.getHeaders()).toEqual({ link: ['<a>', '<b>'] });
});

test('a response that is sent takes no more headers', () => {
  const response = newResponse();
  response.writeHead(200);
  expect(() => setHeaders(response, ['X-A', 'a'])).toThrow('after they are sent');
});

test('methods that others have replaced see each header', () => {
  const { response, set } = observed();
  setHeaders(response, ['X-A', 'a', 'X-B', 'b']);
  expect(set).toEqual(['X-A', 'X-B']);
  const seen: string[] = [];
  ServerResponse.prototype.setHeader = function (name, value) {
    seen.push(name);
    return Reflect.apply(setHeader, this, [name, value]) as ServerResponse;
  };
  // It is inherited otherwise.
  onTestFinished(() => void Reflect.deleteProperty(ServerResponse.prototype, 'setHeader'));
  setHeaders(newResponse(), ['X-A', 'a']);
  expect(seen).toEqual(['X-A']);
});
