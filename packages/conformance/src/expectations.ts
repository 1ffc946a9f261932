import * as zlib from 'node:zlib';
import { expect } from 'vitest';
import { headerLines, headerOf, type ClientResponse } from './client.ts';
import { SECRET } from './fixture-content.ts';
import type { SeenRequest } from './seen-request.ts';
import type { StubEngine } from './stub-engine.ts';
import { withoutSeconds } from './results/transcript.ts';

/**
 * The content of a response with its content encoding undone.
 *
 * @param response - As received.
 * @throws Error when the encoding is unknown or the bytes are invalid in it.
 */
export function decodedBody(response: ClientResponse): Buffer {
  const encoding = headerOf(response, 'content-encoding');
  switch (encoding) {
    case undefined:
      return response.body;
    case 'br':
      return zlib.brotliDecompressSync(response.body);
    case 'zstd':
      return zlib.zstdDecompressSync(response.body);
    case 'deflate':
      return zlib.inflateSync(response.body);
    case 'gzip':
      return zlib.gunzipSync(response.body);
    default:
      throw new Error(
        `The request does not accept the content encoding ${JSON.stringify(encoding)}.`,
      );
  }
}

/**
 * The members of a list header, in lower case.
 *
 * @param response - As received.
 * @param name - The header name.
 */
export function listMembers(response: ClientResponse, name: string): string[] {
  return (headerOf(response, name) ?? '')
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter(Boolean);
}

/**
 * The entity-tag of a response, which must be there and be strong.
 *
 * @param response - As received.
 */
export function strongTag(response: ClientResponse): string {
  const lines = headerLines(response, 'etag');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^"[\x21\x23-\x7e]+"$/);
  return lines[0] ?? '';
}

/**
 * The entity-tag of a response, which must be there, without the mark of a weak one.
 *
 * @param response - As received.
 */
export function opaqueTag(response: ClientResponse): string {
  const lines = headerLines(response, 'etag');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^(W\/)?"[\x21\x23-\x7e]+"$/);
  return lines[0]?.replace('W/', '') ?? '';
}

/**
 * A whole 200: exact length, entity-tag, the bytes that are expected.
 *
 * @param response - As received.
 * @param bytes - What it must decode to.
 * @param tag - Weak where earlier compression middleware may still encode the content: the client
 * accepts encodings that the server has not made (RFC 9110 section 8.8.1).
 */
export function expectWhole(
  response: ClientResponse,
  bytes: Buffer,
  tag: 'strong' | 'weak' = 'strong',
): void {
  expect(response.status).toBe(200);
  expect(headerOf(response, 'content-length')).toBe(String(response.body.length));
  expect(decodedBody(response).equals(bytes)).toBe(true);
  if (tag === 'strong') strongTag(response);
  else expect(headerOf(response, 'etag')).toBe(`W/${opaqueTag(response)}`);
}

/**
 * A 304 as RFC 9110 section 15.4.5 requires: the headers that a cache updates, none about content.
 *
 * @param response - The 304.
 * @param whole - The 200 it stands for.
 */
export function expectNotModified(response: ClientResponse, whole: ClientResponse): void {
  expect(response.status).toBe(304);
  for (const name of ['etag', 'vary', 'cache-control']) {
    expect(headerOf(response, name), name).toBe(headerOf(whole, name));
  }
  for (const name of ['content-length', 'content-type', 'transfer-encoding']) {
    expect(headerOf(response, name), name).toBeUndefined();
  }
  expect(response.body).toHaveLength(0);
}

/**
 * A 400 without a leak: nothing rendered, no byte from outside the browser folder.
 *
 * @param response - As received.
 * @param engine - The server's engine.
 */
export function expectRefused(response: ClientResponse, engine: StubEngine): void {
  expect(response.status).toBe(400);
  expectNoSecret(response);
  expect(engine.renders()).toBe(0);
}

/**
 * A response without the line that lies outside the browser folder.
 *
 * @param response - As received.
 */
export function expectNoSecret(response: ClientResponse): void {
  expect(decodedBody(response).includes(SECRET)).toBe(false);
}

/**
 * The headers of a response by name, without those that belong to the connection or the clock.
 *
 * @param response - As received.
 */
export function comparableHeaders(response: ClientResponse): string[] {
  return response.headers
    .filter(([name]) => !/^(date|connection|keep-alive|server-timing)$/i.test(name))
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .map(([name, value]) => `${name}: ${withoutSeconds(name, value)}`)
    .sort();
}

/**
 * The one request that the engine saw.
 *
 * @param engine - The server's engine.
 */
export function onlySeen(engine: StubEngine): SeenRequest {
  expect(engine.seen).toHaveLength(1);
  return engine.seen[0]!;
}
