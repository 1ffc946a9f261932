/** What the servers of the comparison after a middleware share; the arguments are those of `after-middleware-server.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withHeaders } from '@ng-ssr/fetch/server';

const [contestant = '', folder = '', response] = process.argv.slice(2);

export const [name = '', kind] = contestant.split(':');
export const isOurs = response === undefined;
export const isDeclared = kind === 'declared';

/** The header that the middleware sets. */
export const SET = ['X-Content-Type-Options', 'nosniff'] as const;

export const port = 0;
export const host = '127.0.0.1';

/** By framework, a function that starts its server. */
export type Servers = Record<string, () => Promise<{ readonly port: number }>>;

/** With every page cached. */
export function options() {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 's-maxage=3600' };
  const page = readFileSync(join(folder, 'index.html'));
  const features = isDeclared ? [withHeaders({ [SET[0]]: SET[1] })] : [];
  const engine = (): Response => new Response(page, { headers });
  return { engine, allowedHosts: [host], files: { folder }, features };
}

/** What a framework alone sends. */
export function readResponse() {
  const { headers, base64 } = JSON.parse(response!) as {
    readonly headers: Record<string, string>;
    readonly base64: string;
  };
  return { headers, body: Buffer.from(base64, 'base64') };
}
