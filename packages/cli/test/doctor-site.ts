import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packSite } from '../../core/test/files/pack/pack-site.ts';

const ADAPTER = pathToFileURL(join(import.meta.dirname, '../../node/dist/server.js')).href;
const resolve = createRequire(import.meta.url).resolve;
/** Addresses of middleware that users have, by package. */
export const MIDDLEWARE = {
  compression: pathToFileURL(resolve('compression')).href,
  helmet: pathToFileURL(resolve('helmet')).href,
  serveStatic: pathToFileURL(resolve('serve-static')).href,
} as const;
const WORDS = 'words of a page '.repeat(200);

/** The files of a build in which the doctor finds nothing, but for its pack. */
const BUILD: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'node_modules/@ng-ssr/core/package.json': manifest('@ng-ssr/core', '0.1.0', '>=20'),
  'node_modules/@ng-ssr/node/package.json': manifest('@ng-ssr/node', '0.1.0', '>=20'),
  'node_modules/@angular/core/package.json': manifest('@angular/core', '22.2.0', '>=20'),
  'node_modules/@angular/ssr/package.json': manifest('@angular/ssr', '22.2.3', '>=20'),
  'dist/shop/browser/index.html': prerendered(WORDS),
  'dist/shop/browser/main-5INURTSO.js': `export const words = "${WORDS}";`,
  'dist/shop/server/server.mjs.map': '{}',
};

/** What differs from a build without findings. */
export interface Variant {
  /** Options of the server, as source; later ones win. */
  readonly options?: string;
  /** Source before the server is created, and after. */
  readonly before?: string;
  readonly after?: string;
  readonly listen?: string;
  /** Files by their path in the workspace; undefined removes one. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

/**
 * Writes a packed build in a workspace of its own.
 *
 * @param root - The folder of all workspaces; `base` in it is a workspace that is copied.
 * @returns the workspace.
 */
export function writeSite(root: string, variant: Variant): string {
  const workspace = mkdtempSync(join(root, 'workspace-'));
  cpSync(join(root, 'base'), workspace, { recursive: true });
  const files = { 'dist/shop/server/server.mjs': programOf(variant), ...variant.files };
  for (const [path, content] of Object.entries(files)) write(workspace, path, content);
  return workspace;
}

/** A folder for workspaces, with the one that all variants are made of; it is packed. Remove it at the end. */
export async function makeRoot(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'ng-ssr-doctor-'));
  for (const [path, content] of Object.entries(BUILD)) write(join(root, 'base'), path, content);
  await packSite(join(root, 'base/dist/shop/browser'));
  return root;
}

function write(folder: string, path: string, content: string | undefined): void {
  const file = join(folder, path);
  if (content === undefined) return rmSync(file, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** A package.json. */
export function manifest(name: string, version: string, node: string): string {
  return JSON.stringify({ name, version, engines: { node } });
}

/** A page as the Angular CLI prerenders it. */
function prerendered(content: string): string {
  return `<!doctype html><html><app-root ng-server-context="ssg">${content}</app-root></html>`;
}

function programOf({ options = '', before = '', after = '', listen = '' }: Variant): string {
  return `
import {
  createNodeSsrServer, withCalls, withHeaders, withInspector, withLocales, withOldBuilds, withPrewarm, withPublicConfig,
  withPurgeEndpoint, withRenderThreads, withServerThreads, withSharedStore, withSlots,
} from ${JSON.stringify(ADAPTER)};
const headers = { 'content-type': 'text/html; charset=utf-8' };
const calls = withCalls({ '**': { timeoutMs: 3000 } });
const engine = async () => new Response('<!doctype html><p>rendered</p>', { headers });
${before}
const server = createNodeSsrServer({
  engine,
  allowedHosts: ['shop.example'],
  features: [calls],
  ${options}
});
server.use((request, response, next) => {
  response.setHeader('Content-Security-Policy', "default-src 'self'");
  next();
});
${after}
await server.listen(${listen});
`;
}
