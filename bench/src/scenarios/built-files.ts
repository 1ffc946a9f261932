import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dist } from '../contestants/catalogue.ts';

/** The bytes of a built file of the example. */
export function readBuilt(engine: 'app' | 'common', name: string): Buffer {
  return readFileSync(join(dist, engine, 'browser', name));
}

/** The file of the home page, which the limits are given. */
export const homePageFile = join(dist, 'app/browser/index.html');

/** The largest hashed script that the example's build has: its `main-<hash>.js`. */
export function findScript(): string {
  const name = readdirSync(join(dist, 'app/browser')).find((file) => /^main-.*\.js$/.test(file));
  if (name === undefined) throw new Error('the example is not built: run "npm run build" first');
  return name;
}

/** What a client that takes no content encoding sends. */
export const IDENTITY = { 'accept-encoding': 'identity' };

/** A page of the example that says nothing about storing: it is rendered for each request. */
export const UNSTORED = '/lazy';

/** A page of the example, of 88 KB, that is for one visitor alone and says `no-store`. */
export const PRIVATE = '/account';
