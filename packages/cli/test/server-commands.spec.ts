import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  request,
  type RequestListener,
  type Server,
} from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Explanation, InspectorState } from '@ng-ssr/core';
import { type Ended, runNgSsr } from './ng-ssr-async.ts';
import { INSPECTOR_TOKEN, PURGE_TOKEN, RunningServer } from './running-server.ts';
import { HOSTILE, HOSTILE_STATE, RECORDED } from './top/recorded-state.ts';

let server: RunningServer;
const open: Server[] = [];
beforeAll(async () => {
  server = await RunningServer.start();
});
afterAll(async () => {
  await server.stop();
  for (const each of open) each.close();
});

/** What a server says of a page that it has to render. */
const EXPLAINED = {
  url: 'http://shop.example/',
  answer: 'render',
  reasons: [],
  otherRules: [],
  fallbacks: [],
  representations: [],
  calls: [],
};

const ENV = { NG_SSR_TOKEN: INSPECTOR_TOKEN };

function ngSsr(args: readonly string[], env: NodeJS.ProcessEnv = ENV): Promise<Ended> {
  return runNgSsr(args, env);
}

async function listen(listener: RequestListener): Promise<string> {
  const other = createServer(listener);
  open.push(other);
  await once(other.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(other.address() as { readonly port: number }).port}`;
}

it('explain says why a page is rendered, and then that it is stored', async () => {
  const url = `${server.url}/stored/a?x=1`;
  const before = await ngSsr(['explain', url]);
  expect(before).toMatchObject({ status: 0, stderr: '' });
  expect(before.stdout).toContain('Response      a render');
  expect(before.stdout).toContain('no cached page has its key');
  expect(before.stdout).toContain('Rule          /stored/**');
  await server.get('/stored/a?x=1');
  const after = await ngSsr(['explain', url]);
  expect(after.stdout).toContain('Response      a cached page, status 200');
  expect(after.stdout).toMatch(/Page {10}fresh, [\d.]+ m?s old/);
  expect(after.stdout).toContain('Tags          all');
});

it('explain takes request headers, and asks one process for another host', async () => {
  const { stdout } = await ngSsr([
    ...['explain', 'https://shop.example/stored/b/now', '--server', server.url],
    ...['--header', 'Accept-Language: de', '--json'],
  ]);
  const explained = JSON.parse(stdout) as Explanation;
  expect(explained).toMatchObject({
    url: 'https://shop.example/stored/b/now',
    answer: 'render',
    rule: { pattern: '/stored/*/now', settings: { cache: false } },
    otherRules: [{ pattern: '/stored/**' }],
    storing: { verdict: 'no' },
  });
  const local = await ngSsr([
    ...['explain', `${server.url}/stored/b//now?a=%2e`, '--host', 'shop.example', '--json'],
  ]);
  expect(JSON.parse(local.stdout)).toMatchObject({
    url: 'http://shop.example/stored/b//now?a=%2e',
  });
  const refused = await ngSsr([
    'explain',
    'https://evil.example/',
    '--server',
    server.url,
    '--host',
    '127.0.0.1',
  ]);
  expect(refused.stdout).toContain('an error, status 400');
});

it('purge marks pages stale or removes them, by the inspector or the purge endpoint', async () => {
  await server.get('/stored/c');
  expect((await server.get('/stored/c')).headers.get('cache-status')).toContain('hit');
  const soft = await ngSsr(['purge', server.url, '--tag', 'all']);
  expect(soft).toEqual({
    status: 0,
    stdout: '2 pages with the tag all are marked stale in this process.\n',
    stderr: '',
  });
  const explained = await ngSsr(['explain', `${server.url}/stored/c`, '--json']);
  expect(JSON.parse(explained.stdout)).toMatchObject({ page: { state: 'expired' } });

  await server.get('/stored/c');
  const args = [
    'purge',
    server.url,
    '--path',
    '/stored/c',
    '--hard',
    '--endpoint',
    '/_cache/purge',
    '--json',
  ];
  const hard = await ngSsr(args, { NG_SSR_TOKEN: PURGE_TOKEN });
  expect(JSON.parse(hard.stdout)).toEqual({
    purged: { path: '/stored/c', hard: true },
    here: 1,
    elsewhere: [],
  });
  const gone = await ngSsr(['explain', `${server.url}/stored/c`, '--json']);
  expect(JSON.parse(gone.stdout)).not.toHaveProperty('page');
});

it('purge needs no --endpoint for a server with the purge endpoint alone', async () => {
  const env = { NG_SSR_TOKEN: PURGE_TOKEN };
  const alone = await RunningServer.start(0, { ...env, ONLY: 'purge' });
  onTestFinished(() => alone.stop());
  await alone.get('/stored/c');
  expect((await alone.get('/stored/c')).headers.get('cache-status')).toContain('hit');
  expect(await ngSsr(['purge', alone.url, '--tag', 'all', '--hard'], env)).toEqual({
    status: 0,
    stdout: '1 page with the tag all is removed in this process.\n',
    stderr: '',
  });
  expect((await alone.get('/stored/c')).headers.get('cache-status')).not.toContain('hit');
  const wrong = await ngSsr(['purge', alone.url, '--tag', 'all']);
  expect([wrong.status, wrong.stderr]).toEqual([
    1,
    expect.stringContaining(`${alone.url}/_ng-ssr/purge responded with 401: wrong token`),
  ]);
});

it('purge names both addresses if neither purges', async () => {
  const asked: string[] = [];
  const other = await listen(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(404).end();
  });
  const { status, stdout, stderr } = await ngSsr(['purge', other, '--tag', 'all']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(
    `${other}/_ng-ssr/inspector/purge responded with 404, ${other}/_ng-ssr/purge responded with 404: neither purges.`,
  );
  expect(asked).toEqual(['POST /_ng-ssr/inspector/purge', 'POST /_ng-ssr/purge']);
});

it('purge with the wrong token of an inspector names its address', async () => {
  const { status, stderr } = await ngSsr(['purge', server.url, '--tag', 'all'], {
    NG_SSR_TOKEN: PURGE_TOKEN,
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(
      `${server.url}/_ng-ssr/inspector/purge responded with 401: wrong token`,
    ),
  ]);
});

it('purge says that no page has a tag, and where else there may be some', async () => {
  const typo = await ngSsr(['purge', server.url, '--tag', 'typo']);
  expect(typo).toEqual({
    status: 0,
    stdout: 'This process has no cached page with the tag typo.\n',
    stderr: '',
  });
  const said = async (answer: object): Promise<string> =>
    (await ngSsr(['purge', await answering(answer), '--prefix', '/a', '--hard'])).stdout;
  expect(await said({ here: 0, elsewhere: ['store', 'edge', 'moon'] })).toBe(
    'This process has no cached page below /a. Pages in the page store and the CDN are removed, if there are any.\n',
  );
  expect(await said({ here: 1, elsewhere: ['store'] })).toBe(
    '1 page below /a is removed in this process. Pages in the page store are removed.\n',
  );
  // A server of an earlier version.
  expect(await said({ purged: { prefix: '/a' } })).toBe('Pages below /a are removed.\n');
});

it('top prints one picture, and the state as JSON', async () => {
  const once = await ngSsr(['top', server.url, '--once']);
  for (const line of once.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(once).toMatchObject({ status: 0, stderr: '' });
  expect(once.stdout).toMatch(/^127\.0\.0\.1:\d+ {2}up /);
  expect(once.stdout).not.toContain('\x1b');
  const { stdout } = await ngSsr(['top', server.url, '--json']);
  expect((JSON.parse(stdout) as InspectorState).versions.node).toBe(process.version);
});

it('the token is of a file, or of --token with a warning', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-token-'));
  const file = join(folder, 'token');
  writeFileSync(file, `${INSPECTOR_TOKEN}\n`);
  const ofFile = await ngSsr(['top', server.url, '--once', '--token-file', file], {});
  expect(ofFile).toMatchObject({ status: 0, stderr: '' });
  const given = await ngSsr(['top', server.url, '--once', '--token', INSPECTOR_TOKEN], {});
  expect(given.status).toBe(0);
  expect(given.stderr).toContain('can read --token in the process list');
  rmSync(folder, { recursive: true });
});

it.each<[string, readonly string[], NodeJS.ProcessEnv, number, string]>([
  ['no token', ['top', 'URL', '--once'], {}, 2, 'the token is missing: set NG_SSR_TOKEN'],
  [
    'another token',
    ['top', 'URL', '--once'],
    { NG_SSR_TOKEN: 'another-token-of-this' },
    1,
    'responded with 401',
  ],
  [
    'another path',
    ['top', 'URL', '--once', '--inspector-path', '/other'],
    ENV,
    1,
    'there is no inspector at this path',
  ],
  [
    'no purge endpoint',
    ['purge', 'URL', '--path', '/a', '--endpoint', '/other'],
    ENV,
    1,
    'Add withPurgeEndpoint() to the features of the server, and pass its path with --endpoint',
  ],
  [
    'nothing that purges',
    ['purge', 'URL', '--path', '/a', '--inspector-path', '/other'],
    ENV,
    1,
    'add withPurgeEndpoint() and pass its path with --endpoint',
  ],
  [
    'no token file',
    ['top', 'URL', '--once', '--token-file', '/nowhere/token'],
    {},
    2,
    "cannot be read: ENOENT: no such file or directory, open '/nowhere/token' (https:",
  ],
  ['no server to watch', ['top'], ENV, 2, 'the URL of the server is missing'],
  ['no terminal', ['top', 'URL'], ENV, 2, 'top needs a terminal'],
  ['no server', ['top', 'http://127.0.0.1:9', '--once'], ENV, 1, 'NG_SSR_SERVER_UNREACHABLE'],
  ['no TLS', ['top', 'TLS', '--once'], ENV, 1, 'it does not speak TLS'],
  [
    'another host',
    ['top', 'URL', '--once', '--host', 'evil.example'],
    ENV,
    1,
    "the host evil.example is not in the server's allowedHosts",
  ],
  [
    'the host of a page',
    ['explain', 'http://evil.example:8080/a', '--server', 'URL'],
    ENV,
    1,
    "the host evil.example:8080 is not in the server's allowedHosts",
  ],
  [
    'two selections',
    ['purge', 'URL', '--path', '/a', '--tag', 'b'],
    ENV,
    2,
    'exactly one of --path, --prefix and --tag',
  ],
  [
    'no path',
    ['purge', 'URL', '--path', 'a'],
    ENV,
    2,
    '--path is "a"; allowed: a path that starts with "/", without a query. Did you mean "/a"?',
  ],
  ['a query', ['purge', 'URL', '--prefix', '/a?b'], ENV, 2, '--prefix is "/a?b"; allowed'],
  ['a path in the URL', ['top', 'URL/admin', '--once'], ENV, 2, 'has a path'],
  ['no URL', ['explain', '/a'], ENV, 2, 'is not the URL of a server'],
  ['no header', ['explain', 'URL', '--header', 'x'], ENV, 2, 'allowed: "Name: value"'],
])('%s is an error that says what to do', async (_name, args, env, status, message) => {
  const filled = args.map((each) =>
    each.replace(/^TLS/, server.url.replace('http:', 'https:')).replace(/^URL/, server.url),
  );
  const ended = await ngSsr(filled, env);
  expect([ended.status, ended.stdout]).toEqual([status, '']);
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).not.toContain(INSPECTOR_TOKEN);
});

it('the token goes to no other address', async () => {
  const seen: (string | undefined)[] = [];
  const target = await listen(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end();
  });
  const redirecting = await listen((_request, response) => {
    response.writeHead(302, { location: `${target}/` }).end();
  });
  const { status, stderr } = await ngSsr(['top', redirecting, '--once']);
  expect([status, seen]).toEqual([1, []]);
  expect(stderr).toContain('it redirects to');
});

it.each([301, 302, 303, 307, 308])(
  'a purge that is redirected (%s) is not done',
  async (status) => {
    const redirecting = await listen((_request, response) => {
      response.writeHead(status, { location: '/elsewhere', 'content-type': 'application/json' });
      response.end('{}');
    });
    const purge = await ngSsr(['purge', redirecting, '--path', '/a']);
    expect([purge.status, purge.stdout]).toEqual([1, '']);
    expect(purge.stderr).toContain('it redirects to /elsewhere');
  },
);

it('no answer of a server reaches the terminal as an escape sequence', async () => {
  const explanation = { ...EXPLAINED, url: HOSTILE, reasons: [HOSTILE], key: HOSTILE };
  const url = await listen(({ url: target }, response) => {
    const isState = target!.endsWith('/state');
    response.writeHead(isState || target!.endsWith('/explain') ? 200 : 400, {
      'content-type': isState || target!.endsWith('/explain') ? 'application/json' : 'text/plain',
    });
    if (isState) response.end(JSON.stringify(HOSTILE_STATE));
    else response.end(target!.endsWith('/explain') ? JSON.stringify(explanation) : HOSTILE);
  });
  const outputs = [
    await ngSsr(['top', url, '--once']),
    await ngSsr(['top', url, '--json']),
    await ngSsr(['explain', url]),
    await ngSsr(['explain', url, '--json']),
    await ngSsr(['purge', url, '--tag', 'a']),
  ];
  for (const { stdout, stderr } of outputs) {
    expect((stdout + stderr).match(/[^\n\P{C}]|[\p{Zl}\p{Zp}]/u)).toBeNull();
  }
  expect(outputs.map(({ status }) => status)).toEqual([0, 0, 0, 0, 1]);
});

/** A server that answers each request of a command with this JSON. */
const answering = (value: unknown): Promise<string> =>
  listen((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  });

it.each<[string, string, unknown, string]>([
  [
    'a text for a number',
    'top',
    { ...RECORDED, pid: '\x1b[31m1' },
    'pid is "\\u001b[31m1"; expected a number',
  ],
  ['a list that is none', 'top', { ...RECORDED, routes: {} }, 'routes is {}; expected a list'],
  [
    'an entry of another kind',
    'top',
    { ...RECORDED, threads: [null] },
    'threads[0] is null; expected an object',
  ],
  ['nothing', 'top', null, 'it is null; expected an object'],
  [
    'an endless list',
    'top',
    { ...RECORDED, routes: Array(20_000).fill(RECORDED.routes[0]) },
    'routes has 20000 entries',
  ],
  [
    'an endless text',
    'top',
    { ...RECORDED, buildId: 'x'.repeat(100_000) },
    'buildId has 100000 characters',
  ],
  [
    'an endless answer',
    'top',
    `"${'x'.repeat(17 * 1024 * 1024)}"`,
    'responded with more than 16 MiB',
  ],
  [
    'an unknown answer',
    'explain',
    { ...EXPLAINED, answer: 'constructor' },
    'answer is "constructor"; expected held, stored',
  ],
  [
    'reasons that are none',
    'explain',
    { ...EXPLAINED, reasons: [1] },
    'reasons[0] is 1; expected a string',
  ],
])('%s is an error that names it', async (_name, command, answer, message) => {
  const url = await answering(answer);
  const { status, stdout, stderr } = await ngSsr([
    command,
    url,
    ...(command === 'top' ? ['--once'] : []),
  ]);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).toContain('NG_SSR_SERVER_ANSWER_INVALID');
  expect(stderr).not.toContain('\x1b');
});

it('explain shows so much of long lists that it can be read', async () => {
  const reasons = Array.from({ length: 5000 }, (_, at) => `reason ${at}`);
  const url = await answering({ ...EXPLAINED, reasons });
  const { stdout } = await ngSsr(['explain', url]);
  expect(stdout).toContain('reason 99\n');
  expect(stdout).toContain('and 4900 more: --json prints all');
  expect(stdout).not.toContain('reason 100');
});

it('behind HTTP Basic the commands send the user of the proxy, and the token beside it', async () => {
  const user = 'ann:pass:word';
  const asked: IncomingHttpHeaders[] = [];
  const url = await listen((incoming, outgoing) => {
    const { headers, method, url: path } = incoming;
    asked.push(headers);
    if (headers.authorization !== `Basic ${btoa(user)}`) {
      outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="shop"' }).end();
      return;
    }
    const toServer = { ...headers, host: new URL(server.url).host };
    const sent = request(server.url + path!, { method, headers: toServer }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(sent);
  });
  const refused = await ngSsr(['top', url, '--once']);
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('set NG_SSR_BASIC to "user:password"');
  const unknown = await ngSsr(['top', url, '--once'], { ...ENV, NG_SSR_BASIC: 'ann:wrong' });
  expect(unknown.stderr).toContain('the proxy rejects the user or password in NG_SSR_BASIC');
  const withUser = { ...ENV, NG_SSR_BASIC: user };
  for (const args of [
    ['top', url, '--once'],
    ['explain', `${url}/a`],
    ['purge', url, '--path', '/a'],
  ]) {
    expect(await ngSsr(args, withUser)).toMatchObject({ status: 0, stderr: '' });
  }
  const endpoint = ['purge', url, '--path', '/a', '--endpoint', '/_cache/purge'];
  const ofEndpoint = { NG_SSR_TOKEN: PURGE_TOKEN, NG_SSR_BASIC: user };
  expect((await ngSsr(endpoint, ofEndpoint)).status).toBe(0);
  const wrong = await ngSsr(['top', url, '--once'], { ...withUser, NG_SSR_TOKEN: PURGE_TOKEN });
  expect(wrong.stderr).toContain('responded with 403: wrong token');
  const noUser = await ngSsr(['top', url, '--once'], { ...ENV, NG_SSR_BASIC: 'ann' });
  expect([noUser.status, noUser.stderr]).toEqual([
    2,
    expect.stringContaining('NG_SSR_BASIC has no ":"'),
  ]);
  for (const { authorization = '' } of asked.slice(1))
    expect(authorization).not.toContain('Bearer');
});
