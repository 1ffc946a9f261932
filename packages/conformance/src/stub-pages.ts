import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { insertPublicConfig } from '@ng-ssr/core';
import { HOME_CACHE_CONTROL } from './fixture-content.ts';
import { leaveUnhandled } from './leave-unhandled.ts';
import { seededText } from './seeded-bytes.ts';
import type { SeenRequest } from './seen-request.ts';

/**
 * Makes the answer of one path of the stub engine.
 *
 * @param seen - The request.
 * @param render - How often its URL has been rendered, this time included.
 */
export type StubPage = (
  seen: SeenRequest,
  render: number,
) => Response | null | Promise<Response | null>;

/** The error text of the failing paths; clients get it only with `errorDetails`. */
export const FAILURE_TEXT = 'the warehouse cannot be reached';

/** Markup within a failure's text, which must never become part of a page. */
export const FAILURE_MARKUP = '<script>alert(1)</script>';

/** The entity-tag that `/cached` sets itself. */
export const CACHED_TAG = '"from-the-app"';

/**
 * The page the stub engine renders for a title, the same bytes each time.
 *
 * @param title - Its heading.
 */
export function stubPage(title: string): string {
  return (
    `<!doctype html><html><head><title>${title}</title></head><body>` +
    `<app-root ng-server-context="ssr-stub"><h1>${title}</h1><p>${seededText(4_000, 31)}</p>` +
    `</app-root></body></html>`
  );
}

/**
 * The response with {@link stubPage}.
 *
 * @param title - Its heading.
 * @param init - Its status and headers; the media type is added.
 */
export function html(title: string, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return new Response(stubPage(title), { ...init, headers });
}

/** A page that may be stored, rendered into a document with the public configuration. */
export function configuredPage(publicConfig: string | undefined): Response {
  const page = insertPublicConfig(stubPage('Configured'), publicConfig);
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 's-maxage=600' };
  return new Response(page, { headers });
}

/** A page with a header about its own bytes. */
function withDigest(): Response {
  const digest = createHash('sha256').update(stubPage('Digest')).digest('base64');
  return html('Digest', { headers: { 'Repr-Digest': `sha-256=:${digest}:` } });
}

/** A page whose content fails after a part of it has been sent. */
export function halfway(): Response {
  let sent = false;
  const body = new ReadableStream({
    pull(controller) {
      if (sent) return controller.error(new Error(FAILURE_TEXT));
      sent = true;
      controller.enqueue(new TextEncoder().encode('<!doctype html><html><body>half'));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

function streamed(): Response {
  const parts = [stubPage('Streamed').slice(0, 100), '', stubPage('Streamed').slice(100)];
  const body = new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

function hello(): Response {
  const page = html('Hello', { headers: { 'x-greeting': 'hello' } });
  page.headers.append('Set-Cookie', 'first=1; Path=/');
  page.headers.append('Set-Cookie', 'second=2; Path=/; HttpOnly');
  return page;
}

/** The stub engine's paths. */
export const stubPages: Readonly<Record<string, StubPage>> = {
  '/rendered': () => html('Rendered'),
  '/streamed': streamed,
  '/products/1': () => html('Product 1'),
  '/form': () => html('Form'),
  '/slow': () => html('Slow'),
  '/missing': () => html('Not found', { status: 404 }),
  '/old': () => new Response(null, { status: 302, headers: { Location: '/about' } }),
  '/boom': () => {
    throw new Error(FAILURE_TEXT);
  },
  '/boom-markup': () => {
    throw new Error(FAILURE_MARKUP);
  },
  '/reject': () => Promise.reject(new Error(FAILURE_TEXT)),
  '/reject-undefined': () => Promise.reject(undefined),
  '/halfway': halfway,
  '/hello': hello,
  '/echo': (seen) =>
    Response.json(seen, { headers: { 'Content-Type': 'application/json; charset=utf-8' } }),
  '/connection-headers': () =>
    html('Connection headers', {
      headers: {
        Connection: 'upgrade',
        'Keep-Alive': 'timeout=99',
        'Proxy-Connection': 'keep-alive',
        'Transfer-Encoding': 'chunked',
        Upgrade: 'h2c',
      },
    }),
  '/null': () => null,
  '/nostore': () => html('Not stored', { headers: { 'Cache-Control': 'no-store' } }),
  '/cached': () =>
    html('Cached', { headers: { 'Cache-Control': 'public, max-age=60', ETag: CACHED_TAG } }),
  '/weird': () =>
    new Response(gzipSync(stubPage('Encoded by the app')), {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip' },
    }),
  '/unhandled': () => {
    leaveUnhandled(new Error(FAILURE_TEXT));
    return html('In spite of an error', {
      headers: { 'Cache-Control': 'public, s-maxage=60', 'CDN-Cache-Control': 'max-age=60' },
    });
  },
  '/no-transform': () =>
    html('Not transformed', { headers: { 'Cache-Control': 'private, no-transform' } }),
  // The home page of a locale.
  '/de': (_seen, render) =>
    html(`Start ${render}`, { headers: { 'Cache-Control': HOME_CACHE_CONTROL } }),
  '/small': () => new Response('<p>small</p>', { headers: { 'Content-Type': 'text/html' } }),
  '/picture': () => new Response(stubPage('Picture'), { headers: { 'Content-Type': 'image/png' } }),
  '/digest': withDigest,
  '/empty': () => new Response(null, { status: 204 }),
};
