import { koa } from '../adapters/koa.ts';
import { createSchematics } from '../create-schematics.ts';

export const { ngAdd, server, remove, deploy } = createSchematics(koa);
