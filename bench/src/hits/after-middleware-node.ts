/** The servers of frameworks on node:http. */
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import express from 'express';
import createFastify from 'fastify';
import Koa from 'koa';
import {
  host,
  isDeclared,
  options,
  port,
  readResponse,
  type Servers,
  SET,
} from './after-middleware-site.ts';

export const ours: Servers = {
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
export const bare: Servers = {
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

function addressOf({ server }: { readonly server: Server }): AddressInfo {
  return server.address() as AddressInfo;
}

async function listening(server: Server): Promise<AddressInfo> {
  await new Promise((resolve) => server.once('listening', resolve));
  return server.address() as AddressInfo;
}
