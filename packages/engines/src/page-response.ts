import { createWholeResponse } from '@ng-ssr/core/adapter';

const HTML = 'text/html;charset=UTF-8';
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
const encoder = new TextEncoder();

/** The value that components inject as RESPONSE_INIT, with the same initial headers as the app engine. */
export function createResponseInit(locale: string | undefined): ResponseInit {
  const headers = new Headers({ 'Content-Type': HTML });
  if (locale !== undefined) headers.set('Content-Language', locale);
  return { headers };
}

/**
 * The page with the status and headers its components set. The body is a stream of one chunk:
 * reading it costs less than reading a Response made of the string.
 */
export function toPageResponse(html: string, init: ResponseInit): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(html));
      controller.close();
    },
  });
  return withType(new Response(body, init));
}

/** The same for a page as bytes. */
export function toWholeResponse(page: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return withType(createWholeResponse(page, init));
}

function withType(response: Response): Response {
  if (!response.headers.has('Content-Type')) response.headers.set('Content-Type', HTML);
  return response;
}

/**
 * A redirect as the app engine answers it: 302 unless a component set another redirect status,
 * and `Vary: X-Forwarded-Prefix` because whether a navigation is a redirect depends on the prefix.
 */
export function toRedirectResponse(location: string, init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  const vary = headers.get('Vary')?.toLowerCase() ?? '';
  if (!vary.includes('x-forwarded-prefix')) headers.append('Vary', 'X-Forwarded-Prefix');
  headers.set('Location', location);
  return new Response(null, { status: REDIRECTS.has(init.status) ? init.status! : 302, headers });
}
