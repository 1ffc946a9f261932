import { join } from 'node:path';

/** One server of the comparison. */
export interface Run {
  readonly adapter: string;
  /** Undefined for the limit of a runtime, which has no engine. */
  readonly engine: 'app' | 'common' | undefined;
  readonly serveHits: 'after-middleware' | 'before-middleware' | undefined;
  readonly runtime: 'node' | 'bun';
  /** The program and its arguments, from the folder of the example's builds. */
  readonly command: (dist: string) => readonly string[];
}

const ENGINES = ['app', 'common'] as const;
const HITS = ['after-middleware', 'before-middleware'] as const;

/** Adapters on node:http answer hits after middleware or before it. */
const NODE_ADAPTERS = ['node', 'koa', 'fastify', 'express'];
/** Adapters of fetch have one. */
const FETCH_ADAPTERS = [
  { adapter: 'hono', runtime: 'node' },
  { adapter: 'h3', runtime: 'node' },
  { adapter: 'elysia-bun', runtime: 'bun' },
] as const;

const bun = join(import.meta.dirname, '../../../node_modules/.bin/bun');
const programs = { node: process.execPath, bun };
const server = (dist: string, engine: string): string => join(dist, engine, 'server/server.mjs');

/** Every run, the limit of each runtime first. */
export const RUNS: readonly Run[] = [
  ...(['node', 'bun'] as const).map((runtime) => ({
    adapter: runtime === 'node' ? 'node:http (limit)' : 'Bun.serve (limit)',
    engine: undefined,
    serveHits: undefined,
    runtime,
    command: (dist: string) => [
      programs[runtime],
      join(import.meta.dirname, `../contestants/limit-${runtime}.ts`),
      join(dist, 'app/browser/index.html'),
    ],
  })),
  ...ENGINES.flatMap((engine) => [
    ...NODE_ADAPTERS.flatMap((adapter) =>
      HITS.map((serveHits) => ({
        adapter,
        engine,
        serveHits,
        runtime: 'node' as const,
        command: (dist: string) => [programs.node, server(dist, engine)],
      })),
    ),
    ...FETCH_ADAPTERS.map(({ adapter, runtime }) => ({
      adapter,
      engine,
      serveHits: undefined,
      runtime,
      command: (dist: string) => [programs[runtime], server(dist, engine)],
    })),
  ]),
];
