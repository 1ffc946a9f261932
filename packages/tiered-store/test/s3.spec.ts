import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { s3Bodies, type S3BodiesOptions } from '@ng-ssr/tiered-store';
import { expect, onTestFinished, test, vi } from 'vitest';

const never = new AbortController().signal;
const NAME = '1/ab/cdef';

interface Seen {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** A server that answers all requests alike, and a store of bodies with it. */
async function serve(
  { status = 200, body = '' }: { readonly status?: number; readonly body?: string | Buffer },
  options: Partial<S3BodiesOptions> = {},
): Promise<{ readonly bodies: ReturnType<typeof s3Bodies>; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((content) => {
      seen.push({ request, body: content });
      response.writeHead(status).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const keys = options.credentials ? {} : { accessKeyId: 'id', secretAccessKey: 'secret-word' };
  return { bodies: s3Bodies({ endpoint, bucket: 'pages', ...keys, ...options }), seen };
}

/** Signature Version 4 of a request, computed again. */
function signatureOf({ method, url, headers }: IncomingMessage, secret: string): string {
  const authorization = headers.authorization!;
  const [, day, region] = /Credential=[^/]+\/(\d+)\/([\w-]+)\/s3\/aws4_request/.exec(
    authorization,
  )!;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)![1]!.split(';');
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const digest = headers['x-amz-content-sha256'];
  const canonical = [method, url, '', lines, names.join(';'), digest].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n');
  const key = [day!, region!, 's3', 'aws4_request'].reduce<string | Buffer>(
    (earlier, part) => createHmac('sha256', earlier).update(part).digest(),
    `AWS4${secret}`,
  );
  return createHmac('sha256', key).update(text).digest('hex');
}

test('requests are signed, with what is sent', async () => {
  const { bodies, seen } = await serve(
    { body: 'content' },
    { region: 'eu-central-1', sessionToken: 'token' },
  );
  const content = Buffer.from('content\0\xff', 'latin1');
  await bodies.put(NAME, content, never);
  expect(await bodies.get(NAME, 7, never)).toEqual(Buffer.from('content'));
  expect(seen.map(({ request: { method, url } }) => `${method} ${url}`)).toEqual([
    `PUT /pages/ng-ssr/${NAME}`,
    `GET /pages/ng-ssr/${NAME}`,
  ]);
  for (const { request } of seen) {
    const { authorization } = request.headers;
    expect(authorization).toContain(`Signature=${signatureOf(request, 'secret-word')}`);
    expect(authorization).toContain('/eu-central-1/s3/');
    expect(authorization).toContain('x-amz-security-token');
    expect(request.headers['x-amz-security-token']).toBe('token');
  }
  expect(seen[0]!.body).toEqual(content);
  const digest = createHash('sha256').update(content).digest('hex');
  expect(seen[0]!.request.headers['x-amz-content-sha256']).toBe(digest);
});

test('keys that change are asked for again', async () => {
  let count = 0;
  const credentials = async (): ReturnType<NonNullable<S3BodiesOptions['credentials']>> => {
    count++;
    return { accessKeyId: `id-${count}`, secretAccessKey: `secret-${count}` };
  };
  const { bodies, seen } = await serve({}, { credentials, prefix: 'shop/' });
  for (let at = 0; at < 2; at++) await bodies.put(NAME, Buffer.from('content'), never);
  for (const [at, { request }] of seen.entries()) {
    expect(request.url).toBe(`/pages/shop/${NAME}`);
    expect(request.headers.authorization).toContain(`Credential=id-${at + 1}/`);
    expect(request.headers.authorization).toContain(signatureOf(request, `secret-${at + 1}`));
  }
});

test.each([
  [undefined, 's3Bodies.credentials() is missing; allowed: an object with accessKeyId'],
  ['secret-word', 's3Bodies.credentials() is "…"'],
  [{ accessKeyId: 'id' }, 's3Bodies.credentials().secretAccessKey is missing'],
  [
    { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'secret-word\nof two lines' },
    's3Bodies.credentials().sessionToken is "…" (string); allowed: letters, digits and signs',
  ],
])('%#: wrong keys of a function are refused by name, and not shown', async (keys, message) => {
  const { bodies } = await serve({}, { credentials: async () => keys as never });
  const failed = bodies.get(NAME, 100, never);
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.not.toThrow('secret-word');
});

test('keys that do not come end with their request', async () => {
  const { bodies, seen } = await serve({}, { credentials: () => new Promise(() => {}) });
  const late = new AbortController();
  const calls: Promise<unknown>[] = [
    bodies.get(NAME, 100, late.signal),
    bodies.put(NAME, Buffer.from(''), late.signal),
  ];
  late.abort();
  calls.push(bodies.get(NAME, 100, late.signal));
  for (const call of calls) await expect(call).rejects.toBe(late.signal.reason);
  expect(seen).toEqual([]);
});

test('an object that is missing, or longer than its body can be, is a miss', async () => {
  const missing = '<Error><Code>NoSuchKey</Code></Error>';
  const { bodies } = await serve({ status: 404, body: missing });
  expect(await bodies.get(NAME, 100, never)).toBeUndefined();
  const { bodies: long } = await serve({ body: Buffer.alloc(1_000_000) });
  expect(await long.get(NAME, 100, never)).toBeUndefined();
  expect(await long.get(NAME, 1_000_000, never)).toHaveLength(1_000_000);
});

test.each([
  [404, 'NoSuchBucket', 'GET with 404 NoSuchBucket'],
  [403, 'AccessDenied', 'GET with 403 AccessDenied: the keys need'],
  // Of a clock that is wrong: other rights do not help.
  [403, 'RequestTimeTooSkewed', /^it responds to GET with 403 RequestTimeTooSkewed$/],
  [307, 'TemporaryRedirect', 'GET with 307 TemporaryRedirect'],
  [500, '', 'GET with 500'],
])('%i %s is an error that reveals nothing', async (status, code, shown) => {
  const body = `<Error><Code>${code}</Code><StringToSign>secret-word</StringToSign></Error>`;
  const { bodies } = await serve({ status, body });
  const failed = bodies.get(NAME, 100, never);
  await expect(failed).rejects.toThrow(shown);
  await expect(failed).rejects.not.toThrow('secret-word');
  await expect(bodies.put(NAME, Buffer.from(''), never)).rejects.toThrow('it responds to PUT with');
});

test('a bucket without keys is one that cannot be read, for `ng build` runs servers without them', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const bodies = s3Bodies({ endpoint: 'https://s3.example', bucket: 'pages' });
  const noKeys = 'it has no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  await expect(bodies.get(NAME, 100, never)).rejects.toThrow(noKeys);
  await expect(bodies.put(NAME, Buffer.from(''), never)).rejects.toThrow(noKeys);
});
