import { expect } from 'vitest';
import type { CaseContext } from './case-context.ts';
import { headerLines, headerOf, type ClientRequest, type ClientResponse } from './client.ts';
import { PURGE_ENDPOINT } from './purge-fixture.ts';
import { RENDER_HEADER } from './stored-stub-pages.ts';

/** How long a poll runs before it fails; no case depends on its length. */
export const POLL = { timeout: 10_000, interval: 10 };

/**
 * Expects a page that was rendered for this request and is stored now.
 *
 * @param response - As received.
 * @param render - How often its URL has been rendered, this time included.
 */
export function expectStored(response: ClientResponse, render = 1): void {
  expect(headerLines(response, 'cache-status')).toEqual([
    expect.stringMatching(/^ng-ssr; fwd=(uri-miss|vary-miss|stale); stored$/),
  ]);
  expect(headerOf(response, RENDER_HEADER)).toBe(String(render));
}

/**
 * Expects a fresh stored page: RFC 9111 section 5.1, RFC 9211.
 *
 * @param response - As received.
 * @param render - How often its URL has been rendered.
 */
export function expectHit(response: ClientResponse, render = 1): void {
  const [status, ...more] = headerLines(response, 'cache-status');
  expect(more).toEqual([]);
  expect(status).toMatch(/^ng-ssr; hit; ttl=\d+$/);
  expect(Number(status?.split('=')[1])).toBeLessThanOrEqual(60);
  expect(headerLines(response, 'age')).toEqual([expect.stringMatching(/^\d+$/)]);
  expect(headerOf(response, RENDER_HEADER)).toBe(String(render));
}

/**
 * Sends a purge.
 *
 * @param context - The case's.
 * @param body - The content, or a value to send as JSON.
 * @param headers - Added to, or replacing, the valid token and the media type.
 */
export function purge(
  { request }: CaseContext,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ClientResponse> {
  return request({
    method: 'POST',
    target: PURGE_ENDPOINT.path,
    headers: {
      authorization: `Bearer ${PURGE_ENDPOINT.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/**
 * Requests a stored page until the server has encoded it: then its tag is strong, which earlier
 * compression middleware may not send.
 *
 * @param ask - Sends a request.
 * @param target - The page.
 * @param encoding - Gzip is the last to be made.
 */
export async function untilEncoded(
  ask: (request: ClientRequest) => Promise<ClientResponse>,
  target: string,
  encoding = 'gzip',
): Promise<ClientResponse> {
  const poll = async () => {
    const response = await ask({ target, headers: { 'accept-encoding': encoding } });
    const isOurs = headerOf(response, 'etag')?.startsWith('"');
    return isOurs && headerOf(response, 'content-encoding') === encoding ? response : undefined;
  };
  await expect.poll(poll, POLL).toBeDefined();
  return (await poll())!;
}
