/**
 * `npm start`: builds what is needed and serves the example.
 *
 *   ADAPTER   koa (default), node, fastify, express, hono, h3 or elysia-bun
 *   ENGINE    app (default, AngularNodeAppEngine) or common (CommonEngine)
 *   HITS      after-middleware (default) or before-middleware
 *   PORT      default 4200
 *   RENDER_THREADS      threads that render: a number or auto (default 0)
 *   RENDER_MAX_WAIT_MS  how long a request waits for its page (default 10000)
 *   SLOT_DELAY_MS       how long the basket of a visitor takes (default 0)
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureNode, env, follow, install, root, runOrExit } from './environment.mjs';

const adapter = oneOf('ADAPTER', ['koa', 'node', 'fastify', 'express', 'hono', 'h3', 'elysia-bun']);
const engine = oneOf('ENGINE', ['app', 'common']);

install();
await ensureNode();
runOrExit('nx', ['run', `@ng-ssr/example-material-app:build:${engine}`, '--output-style=static']);

console.log(`Serving the example with the ${adapter} adapter and the ${engine} engine.`);
const server = join(root, 'examples/material-app/dist', engine, 'server/server.mjs');
// Elysia's own server is Bun's; npm has brought it.
const runtime = adapter.endsWith('-bun') ? 'bun' : process.execPath;
const child = spawn(runtime, [server], {
  stdio: 'inherit',
  env: env({
    ADAPTER: adapter,
    PORT: process.env.PORT ?? '4200',
    NG_ALLOWED_HOSTS: process.env.NG_ALLOWED_HOSTS ?? 'localhost,127.0.0.1,[::1]',
  }),
});
process.exitCode = await follow(child);

function oneOf(name, allowed) {
  const value = process.env[name] ?? allowed[0];
  if (allowed.includes(value)) return value;
  console.error(`${name} is ${JSON.stringify(value)}; allowed: ${allowed.join(', ')}`);
  process.exit(1);
}
