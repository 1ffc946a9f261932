import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRoot, writeSite } from './doctor-site.ts';
import { BIN, ngSsr } from './ng-ssr.ts';

let root: string;
beforeAll(async () => {
  root = await makeRoot();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** An engine with two ways, and pages in which they differ or do not. */
const ENGINE = `
import { channel } from 'node:diagnostics_channel';
let count = 0;
const inWay = (isFast) => async (request) => {
  const { pathname } = new URL(request.url);
  const page = (text, init = {}) =>
    new Response('<!doctype html>\\n<p>' + text + '</p>', { headers: { 'content-type': 'text/html' }, ...init });
  switch (pathname) {
    case '/counts': return page('id-' + count++);
    case '/random': return page('nonce ' + Math.random().toString(36) + ' and rest');
    case '/random-and-different': return page('at ' + Math.random() + (isFast ? ' fast' : ' slow'));
    case '/different': return page('same words, then ' + (isFast ? '<b>fast' : '<i>slow') + ' \\u001b[2J');
    case '/status': return page('x', { status: isFast ? 200 : 404 });
    case '/header': return page('x', { headers: { 'content-type': 'text/html', 'x-way': String(isFast) } });
    case '/down': throw new Error('connect ECONNREFUSED 127.0.0.1:9');
    case '/half-down': if (isFast) throw new Error('only fast'); return page('x');
    case '/left': channel('ng-ssr:notice').publish({ code: 'NG_SSR_FAST_LEFT', message: 'pages of /left: why' });
      return page('x');
    default: return page('rendered ' + pathname);
  }
};
const compared = Object.assign(inWay(true), { compared: inWay });
`;
const MANIFEST = `export default { bootstrap: () => import('./none.mjs'), routes: [
  { renderMode: 0, route: '/counts' }, { renderMode: 0, route: '/items/*' },
  { renderMode: 0, route: '/old', redirectTo: '/counts' },
] };`;

function writeCompared(options = 'engine: compared,'): string {
  return writeSite(root, {
    before: ENGINE,
    options,
    files: {
      'dist/shop/server/angular-app-manifest.mjs': MANIFEST,
      'dist/shop/prerendered-routes.json': '{ "routes": { "/": {}, "/about": {} } }',
    },
  });
}

const compare = (workspace: string, args: readonly string[]) =>
  ngSsr(['doctor', 'dist/shop', '--compare', ...args], { NODE_ENV: 'production' }, workspace);

const urls = (...paths: readonly string[]): string[] => paths.flatMap((path) => ['--url', path]);

/** What `--json` says of each page. */
function verdictsOf(stdout: string): unknown {
  const { routes } = JSON.parse(stdout) as {
    readonly routes: readonly {
      readonly path: string;
      readonly left?: string;
      readonly verdict: {
        readonly kind: string;
        readonly isRestSame?: boolean;
        readonly reason?: string;
        readonly difference?: { readonly of: string; readonly fast: string };
      };
    }[];
  };
  return Object.fromEntries(
    routes.map(({ path, left, verdict: { kind, isRestSame, reason, difference } }) => [
      path,
      [kind, isRestSame ?? reason ?? difference?.of ?? left].filter((each) => each !== undefined),
    ]),
  );
}

test('routes of the build and others are rendered in both ways, those of the build too', () => {
  const workspace = writeCompared();
  const { status, stdout, stderr } = compare(workspace, ['--json', ...urls('/items/7')]);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(verdictsOf(stdout)).toEqual({
    '/': ['same'],
    '/about': ['same'],
    '/counts': ['same'],
    '/items/7': ['same'],
  });
  expect(JSON.parse(stdout)).toMatchObject({
    outputPath: 'dist/shop',
    withParameters: ['/items/*'],
  });
});

test('differences end with 1; what differs in the same way is told from them', () => {
  const workspace = writeCompared();
  const paths = [
    '/different',
    '/status',
    '/header',
    '/half-down',
    '/random',
    '/random-and-different',
  ];
  const { status, stdout } = compare(workspace, ['--json', ...urls(...paths, '/left', '/down')]);
  expect(status).toBe(1);
  expect(verdictsOf(stdout)).toEqual({
    '/': ['same'],
    '/about': ['same'],
    '/counts': ['same'],
    '/different': ['different', 'content'],
    '/status': ['different', 'status'],
    '/header': ['different', 'x-way'],
    '/half-down': ['different', 'status'],
    '/random': ['not-comparable', true],
    '/random-and-different': ['different', 'content'],
    '/left': ['same', 'pages of /left: why'],
    '/down': ['not-rendered', '500: Error: connect ECONNREFUSED 127.0.0.1:9'],
  });
});

test('the report shows where a page differs, without control characters of it', () => {
  const workspace = writeCompared();
  const { stdout } = compare(workspace, urls('/different', '/random', '/left', '/down'));
  expect(stdout).toContain(
    'different  /different  line 2, column 22 (character 37)\n' +
      '  Angular  <!doctype html>\\n<p>same words, then <i>slow \\u{1b}[2J</p>\n' +
      '  fast     <!doctype html>\\n<p>same words, then <b>fast \\u{1b}[2J</p>\n',
  );
  expect(stdout).toContain('not comparable  /random  line 2, ');
  expect(stdout).toContain('; the rest is the same.\n');
  expect(stdout).toContain('not fast  /left\n  pages of /left: why\n');
  expect(stdout).toContain('Fails both ways: 500: Error: connect ECONNREFUSED 127.0.0.1:9\n\n');
  expect(stdout).toContain('as in --url /products/1: /items/*\n');
  expect(stdout).toMatch(
    /\n7 pages: 4 the same, 1 different, 1 not comparable, 1 not rendered\.\n$/,
  );
});

test.each([
  ['the engine has one way', '', [], 1, 'its engine has no fast renders'],
  [
    'a URL is no path',
    undefined,
    urls('items'),
    2,
    '--url is "items"; allowed: a path that starts with "/"',
  ],
  [
    'the program is not to start',
    undefined,
    ['--no-start'],
    2,
    '--no-start cannot be combined with',
  ],
  ['another page is to be rendered', undefined, ['--render', '/x'], 2, 'pass pages with --url'],
  [
    'warnings are to be errors',
    undefined,
    ['--strict'],
    2,
    '--strict cannot be combined with --compare',
  ],
])('it ends where %s', (_, options, args, code, message) => {
  const { status, stdout, stderr } = compare(writeCompared(options), args);
  expect({ status, stdout }).toEqual({ status: code, stdout: '' });
  expect(stderr).toContain(message);
});

describe.skipIf(process.platform === 'win32')('processes', () => {
  /** A program that starts another one; each leaves a file with its process id as the name. */
  function writeStarter(spins: boolean): string {
    const before = `${ENGINE}
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('started', { recursive: true });
const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
for (const { pid } of [process, other]) writeFileSync('started/' + pid, '');
while (${spins});`;
    return writeSite(root, { before, options: 'engine: compared,' });
  }

  const startedIn = (workspace: string): number[] => {
    try {
      return readdirSync(join(workspace, 'started')).map(Number);
    } catch {
      return [];
    }
  };

  const livingOf = (pids: readonly number[]): number[] =>
    pids.filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });

  test('what the program has started ends with the comparison', async () => {
    const workspace = writeStarter(false);
    expect(compare(workspace, []).status).toBe(0);
    const started = startedIn(workspace);
    expect(started).toHaveLength(6);
    await expect.poll(() => livingOf(started)).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'a program that spins ends when %s ends the command, with what it has started',
    async (signal) => {
      const workspace = writeStarter(true);
      const args = [BIN, 'doctor', 'dist/shop', '--compare', '--timeout', '100'];
      const command = spawn(process.execPath, args, { cwd: workspace, stdio: 'ignore' });
      await expect.poll(() => startedIn(workspace).length).toBe(6);
      const started = startedIn(workspace);
      const ended = once(command, 'exit');
      command.kill(signal);
      expect(await ended).toEqual([null, signal]);
      await expect.poll(() => livingOf(started)).toEqual([]);
    },
  );
});
