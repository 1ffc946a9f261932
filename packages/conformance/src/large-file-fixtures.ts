import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ClientResponse, headerOf } from './client.ts';
import { FIXTURE_TIME } from './fixture-content.ts';
import type { FixtureSite } from './fixture-site.ts';

export const CSV = '/assets/prices.csv';
export const CHUNK = '/chunk-BIGFILE7.js';
export const ARCHIVE = '/assets/archive';

/** Modification times of changed files: the same in every run, so that runs can be compared. */
const CHANGED_TIME = new Date(FIXTURE_TIME.getTime() + 3_600_000);
export const MODIFIED = FIXTURE_TIME.toUTCString();
export const EARLIER = new Date(FIXTURE_TIME.getTime() - 1000).toUTCString();

export function expectWholeFile(response: ClientResponse, bytes: Buffer): void {
  expect(response.status).toBe(200);
  expect(response.body.equals(bytes)).toBe(true);
  expect(headerOf(response, 'content-length')).toBe(String(bytes.length));
}

export function expectPartOf(
  response: ClientResponse,
  bytes: Buffer,
  first: number,
  last: number,
): void {
  expect(response.status).toBe(206);
  expect(response.body.equals(bytes.subarray(first, last + 1))).toBe(true);
  expect(headerOf(response, 'content-range')).toBe(`bytes ${first}-${last}/${bytes.length}`);
  expect(headerOf(response, 'content-length')).toBe(String(last + 1 - first));
}

/** Runs a part of a case while the file of prices has another content. */
export async function withContent(
  site: FixtureSite,
  content: Buffer,
  run: (path: string) => Promise<void>,
): Promise<void> {
  const path = join(site.browserFolder, CSV);
  try {
    await writeFile(path, content);
    await utimes(path, CHANGED_TIME, CHANGED_TIME);
    await run(path);
  } finally {
    await writeFile(path, site.read('assets/prices.csv'));
    await utimes(path, FIXTURE_TIME, FIXTURE_TIME);
  }
}
