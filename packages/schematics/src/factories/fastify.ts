import { fastify } from '../adapters/fastify.ts';
import { createSchematics } from '../create-schematics.ts';

export const { ngAdd, server, remove, deploy } = createSchematics(fastify);
