/**
 * One server of the comparison after a middleware, in a process of its own: `node after-middleware-server.ts <adapter>
 * <browser folder>` is ours, with the home page as a cached page, and `<adapter>:declared` ours with `withHeaders()` in place of middleware. With a response (`{ headers, base64 }`) as a third argument it is the
 * framework alone, which sends that response. It tells its port when it listens.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { createNodeSsrServer, withHeaders } from '@ng-ssr/node/server';
import express from 'express';
import createFastify from 'fastify';
import Koa from 'koa';

const [contestant = '', folder = '', response] = process.argv.slice(2);
const [name = '', kind] = contestant.split(':');
const isDeclared = kind === 'declared';
const SET = ['X-Content-Type-Options', 'nosniff'] as const;
const port = 0;
const host = '127.0.0.1';

/** With every page cached. */
const ours: Record<string, () => Promise<AddressInfo>> = {
  async node() {
    const server = createNodeSsrServer(options());
    if (!isDeclared) {
      server.use((_request, response, next) => {
        response.setHeader(...SET);
        next();
      });
    }
    return addressOf(await server.listen({ port, host, announce: false }));
  },
  async koa() {
    const server = createKoaSsrServer(options());
    if (!isDeclared) {
      server.app.use((context, next) => {
        context.set(...SET);
        return next();
      });
    }
    return addressOf(await server.listen({ port, host, announce: false }));
  },
  async express() {
    const server = createExpressSsrServer(options());
    if (!isDeclared) {
      server.app.use((_request, response, next) => {
        response.setHeader(...SET);
        next();
      });
    }
    return addressOf(await server.listen({ port, host, announce: false }));
  },
  async fastify() {
    const server = createFastifySsrServer(options());
    if (!isDeclared) {
      server.app.addHook('onRequest', (_request, reply, done) => {
        reply.header(...SET);
        done();
      });
    }
    return addressOf(await server.listen({ port, host, announce: false }));
  },
};

/** With the same middleware, and a handler that sends the response as the framework's documentation does. */
const bare: Record<string, () => Promise<AddressInfo>> = {
  node() {
    const { headers, body } = readResponse();
    const pairs = Object.entries(headers);
    const server = createServer((_request, response) => {
      response.setHeader(...SET);
      for (const [name, value] of pairs) response.setHeader(name, value);
      response.end(body);
    });
    return listening(server.listen(port, host));
  },
  koa() {
    const { headers, body } = readResponse();
    const app = new Koa();
    app.use((context, next) => {
      context.set(...SET);
      return next();
    });
    app.use((context) => {
      context.set(headers);
      context.body = body;
    });
    return listening(app.listen(port, host));
  },
  express() {
    const { headers, body } = readResponse();
    const app = express().disable('x-powered-by');
    app.use((_request, response, next) => {
      response.setHeader(...SET);
      next();
    });
    app.use((_request, response) => void response.set(headers).end(body));
    return listening(app.listen(port, host));
  },
  async fastify() {
    const { headers, body } = readResponse();
    const app = createFastify();
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header(...SET);
      done();
    });
    app.get('/*', (_request, reply) => reply.headers(headers).send(body));
    await app.listen({ port, host });
    return app.server.address() as AddressInfo;
  },
};

function options() {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 's-maxage=3600' };
  const page = readFileSync(join(folder, 'index.html'));
  const features = isDeclared ? [withHeaders({ [SET[0]]: SET[1] })] : [];
  const engine = (): Response => new Response(page, { headers });
  return { engine, allowedHosts: [host], files: { folder }, features };
}

function readResponse(): { readonly headers: Record<string, string>; readonly body: Buffer } {
  const { headers, base64 } = JSON.parse(response!) as {
    readonly headers: Record<string, string>;
    readonly base64: string;
  };
  return { headers, body: Buffer.from(base64, 'base64') };
}

function addressOf({ server }: { readonly server: Server }): AddressInfo {
  return server.address() as AddressInfo;
}

async function listening(server: Server): Promise<AddressInfo> {
  await new Promise((resolve) => server.once('listening', resolve));
  return server.address() as AddressInfo;
}

process.send!(await (response === undefined ? ours : bare)[name]!());
process.on('disconnect', () => process.exit());
