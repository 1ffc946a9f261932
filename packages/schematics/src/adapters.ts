import type { Adapter } from './adapter.ts';
import { express } from './adapters/express.ts';
import { fastify } from './adapters/fastify.ts';
import { fetch } from './adapters/fetch.ts';
import { koa } from './adapters/koa.ts';
import { node } from './adapters/node.ts';

/** All adapters: each recognises the server.ts and the packages of the others, to replace them. */
export const adapters: readonly Adapter[] = [node, koa, fastify, express, fetch];
