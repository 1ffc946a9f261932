import { fetch } from '../adapters/fetch.ts';
import { createSchematics } from '../create-schematics.ts';

export const { ngAdd, server, remove, deploy } = createSchematics(fetch);
