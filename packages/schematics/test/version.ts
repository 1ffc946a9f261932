import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../core/package.json', import.meta.url), 'utf8');

/** The version of all packages, which `ng add` writes into workspaces. */
export const VERSION: string = (JSON.parse(manifest) as { version: string }).version;
