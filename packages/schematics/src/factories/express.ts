import { express } from '../adapters/express.ts';
import { createSchematics } from '../create-schematics.ts';
import { removeMiddleware } from '../express/middleware-removal.ts';

export const { ngAdd, server, remove, deploy } = createSchematics(express, removeMiddleware);
export { middleware } from '../express/add-middleware.ts';
