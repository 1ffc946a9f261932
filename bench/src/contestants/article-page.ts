/** What the steps of the article's ladder have in common: the engine and the page it is asked for. */
import './production-mode.ts';
import '@angular/compiler';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommonEngine } from '@angular/ssr/node';

const dist = process.argv[2] ?? '';
const engine = new CommonEngine({
  allowedHosts: ['127.0.0.1', 'localhost'],
  bootstrap: () => Promise.reject(new Error('the ladder asks for prerendered pages only')),
});
const publicPath = join(dist, 'browser');
const documentFilePath = join(dist, 'server/index.server.html');

/** The page as the engine gives it, read from disk for each request. */
export function renderPage(host: string, target: string): Promise<string> {
  return engine.render({ documentFilePath, publicPath, url: `http://${host}${target}` });
}

const held = new Map<string, string>();

/** The page from memory: what the article's page cache does. */
export async function renderPageCached(host: string, target: string): Promise<string> {
  let html = held.get(target);
  if (html === undefined) {
    html = await renderPage(host, target);
    held.set(target, html);
  }
  return html;
}

/** The bytes of the home page, for what sends bytes instead of strings. */
export function readHomePage(): Buffer {
  return readFileSync(join(publicPath, 'index.html'));
}

/** Prints where the server listens, for the process that started this one. */
export function sayListening(port: number): void {
  console.log(`Listening on http://127.0.0.1:${port}/`);
}
