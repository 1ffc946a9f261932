import { node } from '../adapters/node.ts';
import { createSchematics } from '../create-schematics.ts';

export const { ngAdd, server, remove, deploy } = createSchematics(node);
