import { spawnSync } from 'node:child_process';

const packages = new URL('../../../', import.meta.url);
const bin = (name: string): string => new URL(`../node_modules/.bin/${name}`, packages).pathname;
const node = [process.execPath] as const;
const bun = [bin('bun')] as const;
const deno = [bin('deno'), 'run', '--allow-all', '--quiet', '--no-lock'] as const;

/** A program that serves with one of the adapters, and what runs it. */
export interface Server {
  readonly program: URL;
  readonly command: readonly [string, ...string[]];
}

/** A server of each adapter, all with the same pages. */
export const SERVERS: Readonly<Record<string, Server>> = {
  node: { program: new URL('node/test/shutdown-server.ts', packages), command: node },
  koa: { program: new URL('koa/test/shutdown-server.ts', packages), command: node },
  express: { program: new URL('express/test/shutdown-server.ts', packages), command: node },
  fastify: { program: new URL('fastify/test/shutdown-server.ts', packages), command: node },
  hono: { program: new URL('fetch/test/shutdown/hono-server.ts', packages), command: node },
  h3: { program: new URL('fetch/test/shutdown/h3-server.ts', packages), command: node },
  bun: { program: new URL('fetch/test/shutdown/bun-server.ts', packages), command: bun },
  elysia: { program: new URL('fetch/test/shutdown/elysia-server.ts', packages), command: bun },
  deno: { program: new URL('fetch/test/shutdown/deno-server.ts', packages), command: deno },
};

export function isNode({ command }: Server): boolean {
  return command === node;
}

/**
 * Says why where the machine cannot run it.
 *
 * @returns undefined there.
 * @throws Error for a name that is none.
 */
export function toServer(name: string): Server | undefined {
  const server = SERVERS[name];
  if (server === undefined) throw new Error(`there is no ${name}`);
  const [binary] = server.command;
  if (spawnSync(binary, ['--version']).status === 0) return server;
  console.log(`${name} is left out: ${binary} cannot run, \`npm rebuild\` provides it`);
  return undefined;
}
