import { expect } from 'vitest';
import type { CaseContext } from '../case-context.ts';
import { headerLines, headerOf, type ClientRequest, type ClientResponse } from '../client.ts';
import { listMembers } from '../expectations.ts';

/** The origin that CORS allows. */
export const ORIGIN = 'https://app.example';

/** Headers of helmet's defaults, each with a text that its value must contain. */
const HELMET: Readonly<Record<string, RegExp>> = {
  'content-security-policy': /default-src 'self'/,
  'strict-transport-security': /max-age=\d+/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^SAMEORIGIN$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-opener-policy': /^same-origin$/,
};

/**
 * Sends a request as the application at {@link ORIGIN} would, with an id.
 *
 * @param context - The case's.
 * @param request - The request.
 * @returns The response, after a check that it has the headers of every middleware.
 */
export async function askThrough(
  { request: send }: CaseContext,
  request: ClientRequest,
): Promise<ClientResponse> {
  const id = `id of ${request.method ?? 'GET'} ${request.target}`;
  const headers = { origin: ORIGIN, 'x-request-id': id, ...request.headers };
  const response = await send({ ...request, headers });
  expect(headerLines(response, 'x-request-id')).toEqual([id]);
  expectStackHeaders(response);
  return response;
}

/**
 * Checks the headers of helmet, CORS and the session, each once.
 *
 * @param response - To a request that named an origin.
 */
export function expectStackHeaders(response: ClientResponse): void {
  for (const [name, value] of Object.entries(HELMET)) {
    const lines = headerLines(response, name);
    expect(lines, name).toHaveLength(1);
    expect(lines[0], name).toMatch(value);
  }
  expect(headerLines(response, 'access-control-allow-origin')).toEqual([ORIGIN]);
  expect(headerOf(response, 'access-control-allow-credentials')).toBe('true');
  expect(listMembers(response, 'vary')).toContain('origin');
  const cookies = headerLines(response, 'set-cookie');
  expect(cookies.filter((cookie) => cookie.startsWith('session='))).toHaveLength(1);
}
