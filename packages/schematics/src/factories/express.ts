import { express } from '../adapters/express.ts';
import { createSchematics } from '../create-schematics.ts';

export const { ngAdd, server, remove } = createSchematics(express);
export { middleware } from '../express/add-middleware.ts';
