import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Contestant } from '../measure/contestant.ts';
import { codeBuild } from './encoded-build.ts';
import type { GeneratedSite } from './generated-site.ts';
import type { SlottedSite } from './slotted-node.ts';
import { packBuild } from './packed-build.ts';

const root = join(import.meta.dirname, '../../..');
/** The example's builds with encoded files: `app` with the app engine, `common` with CommonEngine. */
export const dist = join(root, 'tmp/bench/example');

/** Makes `dist` from what `npm run build` has made. */
export async function prepareBuilds(): Promise<void> {
  for (const engine of ['app', 'common']) {
    await codeBuild(join(root, 'examples/material-app/dist', engine), join(dist, engine));
  }
}

const programs = { node: process.execPath, bun: join(root, 'node_modules/.bin/bun') };

/** A contestant that is a program of this folder. */
export function program(
  name: string,
  file: string,
  args: readonly string[],
  { runtime = 'node', note }: { runtime?: 'node' | 'bun'; note?: string } = {},
): Contestant {
  const command = [programs[runtime], join(import.meta.dirname, file), ...args];
  return { name, runtime, command, ...(note === undefined ? {} : { note }) };
}

function ours(
  adapter: string,
  serveHits: 'after-middleware' | 'before-middleware',
  engine: 'app' | 'common',
): Contestant {
  const runtime = adapter === 'elysia-bun' ? 'bun' : 'node';
  const parts = [adapter, ...(serveHits === 'before-middleware' ? ['before-middleware'] : [])];
  if (engine === 'common') parts.push('(CommonEngine)');
  return {
    name: `ng-ssr ${parts.join(' ')}`,
    runtime,
    command: [programs[runtime], join(dist, engine, 'server/server.mjs')],
    // Which requests get slots, the application decides for each of them: that is not the cost of a hit.
    env: { ADAPTER: adapter, HITS: serveHits, SLOTS: 'off' },
  };
}

/**
 * The example on Koa with worker threads, on all cores.
 *
 * @param v8Threads - How many threads V8 has beside them, in place of four.
 * @param fast - The option of the engine.
 */
export function renderingServer(workers: number, v8Threads?: number, fast = true): Contestant {
  const server = ours('koa', 'after-middleware', 'app');
  const options = v8Threads === undefined ? {} : { NODE_OPTIONS: `--v8-pool-size=${v8Threads}` };
  const RENDER_FAST = String(fast);
  const env = { ...server.env, RENDER_THREADS: String(workers), RENDER_FAST, ...options };
  const way = fast ? '' : ', not fast';
  const name = `${server.name}, ${workers} workers, ${v8Threads ?? 4} threads of V8's${way}`;
  return { ...server, name, env, isPinned: false };
}

/** The example on node:http, whose pages below /live are rendered for each request. @param way - Of their calls. */
export function callingExample(name: string, way: 'socket' | 'in-process' | 'cached'): Contestant {
  const server = ours('node', 'after-middleware', 'app');
  return { ...server, name, env: { ...server.env, CALLS: way, LIVE_PAGES: 'unstored' } };
}

/** Adapters on node:http, which answer hits after middleware or before it. */
const LANED = ['node', 'koa', 'fastify', 'express'] as const;

/** Every adapter of this project, with every value of `serveHits` it has, over one engine. */
export function ourServers(engine: 'app' | 'common' = 'app'): readonly Contestant[] {
  return [
    ...LANED.flatMap((adapter) => [
      ours(adapter, 'after-middleware', engine),
      ours(adapter, 'before-middleware', engine),
    ]),
    ...['hono', 'h3', 'elysia-bun'].map((adapter) => ours(adapter, 'after-middleware', engine)),
  ];
}

/**
 * The node adapter on the example's files without any middleware. The example's own has one that sets a header, so
 * its hits are answers that somebody has changed.
 */
export const nodeAlone = onGeneratedSite('ng-ssr node, no middleware', {
  adapter: 'node',
  serveHits: 'after-middleware',
  folder: join(dist, 'app/browser'),
  middlewares: 0,
  logs: 'nothing',
});

/** The least that a server can do to start. */
export const emptyServer = program('empty node:http', 'empty-node.ts', []);

/** The example on node:http as the Angular CLI builds it, and the same build packed. */
export function packedServers(): readonly Contestant[] {
  const server = ours('node', 'after-middleware', 'app');
  const build = join(root, 'examples/material-app/dist/app');
  const packed = join(root, 'tmp/bench/packed');
  packBuild(build, packed);
  const of = (folder: string, name: string): Contestant => ({
    ...server,
    name: `${server.name}, ${name}`,
    command: [programs.node, join(folder, 'server/server.mjs')],
  });
  return [of(build, 'unpacked'), of(packed, 'packed')];
}

/** The least that a runtime can do with the page. */
export function limits(file: string): readonly Contestant[] {
  return [
    program('limit node:http', 'limit-node.ts', [file]),
    program('limit Bun.serve', 'limit-bun.ts', [file], { runtime: 'bun' }),
  ];
}

/** The least a socket of Node can do with a file in Brotli, without HTTP. */
export const socketLimit = (file: string): Contestant =>
  program('limit node:net', 'limit-socket.ts', [file]);

/** Angular's scaffold: Express and AngularNodeAppEngine, as `ng new --ssr` writes it. */
export const scaffold = program('Angular scaffold', 'angular-scaffold.ts', [join(dist, 'app')]);

/** The same with Express's compression middleware in front. */
export const encodingScaffold = program('Angular scaffold + compression', 'angular-scaffold.ts', [
  join(dist, 'app'),
  'compression',
]);

/** The node adapter, with all encodings of rendered pages or with none. */
export function encodingServer(isEncoding: boolean): Contestant {
  const server = ours('node', 'after-middleware', 'app');
  if (isEncoding) return { ...server, name: `${server.name}, encoding` };
  const env = { ...server.env, RENDER_ENCODINGS: 'none' };
  return { ...server, name: `${server.name}, encodings: []`, env };
}

/** The app engine's render called from node:http, with nothing around it. */
export const bareEngine = program('bare engine', 'bare-engine.ts', [join(dist, 'app')]);

/** The article's first step. */
export const articleStart = program('Express + CommonEngine', 'ladder-express.ts', [
  join(dist, 'common'),
  'start',
]);

/** A static server on the same files, which sends those in Brotli that are beside them. */
export const sirv = (): Contestant => program('sirv', 'static-sirv.ts', [join(dist, 'app')]);

/** Static servers on the same files, in no content encoding where they have a choice. */
export function staticServers(): readonly Contestant[] {
  const folder = join(dist, 'app');
  return [
    sirv(),
    program('@hono/node-server static', 'static-hono.ts', [folder]),
    ...(isInstalled('nginx') ? [program('nginx', 'static-nginx.ts', [folder])] : []),
  ];
}

/** nginx with the encoded files beside the originals; the one for Brotli where its module is installed. */
export function encodingNginx(): { readonly gzip: Contestant; readonly brotli: Contestant } {
  const folder = join(dist, 'app');
  const module = nginxModule('ngx_http_brotli_static_module.so');
  return {
    gzip: program('nginx gzip_static', 'static-nginx.ts', [folder, 'gzip_static']),
    brotli: program('nginx brotli_static', 'static-nginx.ts', [folder, 'brotli_static', module]),
  };
}

/** Koa with 100 routes and a static server before or behind them. */
export function staticOrder(order: 'before' | 'after'): Contestant {
  const name = order === 'before' ? 'koa static, then router' : 'koa router, then static';
  return program(name, 'static-order.ts', [join(dist, 'app'), order]);
}

/** An adapter on a generated site. */
export function onGeneratedSite(name: string, site: GeneratedSite): Contestant {
  return program(name, 'generated-site.ts', [JSON.stringify(site)]);
}

/** The node adapter with a cached page, and maybe with slots. */
export function slottedServer(name: string, site: SlottedSite): Contestant {
  return program(name, 'slotted-node.ts', [JSON.stringify(site)]);
}

/** A step of the article, beside the ratio it publishes. */
export interface Step {
  readonly contestant: Contestant;
  readonly published: number;
}

const FROM_DISK = 'CommonEngine reads the page from disk for each request.';

/** The article's ladder, in its order. */
export function ladder(): readonly Step[] {
  const common = join(dist, 'common');
  const express = (name: string, step: string, note: string): Contestant =>
    program(name, 'ladder-express.ts', [common, step], { note });
  const koa = (name: string, step: string, note: string, runtime?: 'bun'): Contestant =>
    program(name, 'ladder-koa.ts', [common, step], { note, ...(runtime ? { runtime } : {}) });
  return [
    { contestant: { ...articleStart, note: FROM_DISK }, published: 1 },
    { contestant: express('+ ETag off', 'no-etag', FROM_DISK), published: 1.51 },
    {
      contestant: express('+ CRC-32 tag', 'crc32', `The crc32 of node:zlib. ${FROM_DISK}`),
      published: 1.34,
    },
    {
      contestant: express('+ SSG page cache', 'page-cache', 'The page is held as a string.'),
      published: 1.7,
    },
    {
      contestant: express('+ content-type memo', 'type-memo', 'res.type without its look-ups.'),
      published: 1.88,
    },
    {
      contestant: program('node:http + CommonEngine', 'ladder-node.ts', [common], {
        note: FROM_DISK,
      }),
      published: 3.09,
    },
    {
      contestant: program('Fastify', 'ladder-fastify.ts', [common], { note: FROM_DISK }),
      published: 1.5,
    },
    { contestant: koa('Koa', 'plain', FROM_DISK), published: 2.17 },
    {
      contestant: koa('Koa + conditional-get + etag', 'etag', FROM_DISK),
      published: 1.86,
    },
    {
      contestant: koa(
        'Koa, cached send + native tag',
        'cached',
        'Bytes are held; the tag is computed for each request.',
      ),
      published: 2.8,
    },
    {
      contestant: koa(
        'the same without __async',
        'cached',
        'A zoneless build, the default today, has no __async: the same program once more.',
      ),
      published: 3.91,
    },
    { contestant: koa('Koa on Bun', 'plain', FROM_DISK, 'bun'), published: 1.97 },
    {
      contestant: program('Elysia on Bun', 'ladder-elysia.ts', [common], {
        runtime: 'bun',
        note: FROM_DISK,
      }),
      published: 3.96,
    },
  ];
}

/** Where a module of nginx is, or would be. */
function nginxModule(name: string): string {
  const { stderr } = spawnSync('nginx', ['-V'], { encoding: 'utf8' });
  const folder = stderr?.match(/--modules-path=(\S+)/)?.[1] ?? '/usr/lib/nginx/modules';
  return join(folder, name);
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
