import { channelOf, type RequestEvent } from '@ng-ssr/core';
import { expect, onTestFinished } from 'vitest';
import { type ClientRequest, headerLines } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { purge } from '../stored-expectations.ts';
import { PURGE_ENDPOINT } from '../purge-fixture.ts';
import { CSV } from '../large-file-fixtures.ts';

interface Journey {
  readonly request: ClientRequest;
  readonly status: number;
  /** Of the request event. */
  readonly result: RequestEvent['result'];
}

/** One entry for each way to make an answer. */
const JOURNEYS: Readonly<Record<string, Journey>> = {
  'a hit': { request: { target: '/' }, status: 200, result: 'hit' },
  'a HEAD of a hit': { request: { method: 'HEAD', target: '/' }, status: 200, result: 'hit' },
  'a render': { request: { target: '/rendered' }, status: 200, result: 'miss' },
  'a HEAD of a render': {
    request: { method: 'HEAD', target: '/rendered' },
    status: 200,
    result: 'miss',
  },
  'a redirect': { request: { target: '/old' }, status: 302, result: 'miss' },
  'a large file': { request: { target: CSV }, status: 200, result: 'bypass' },
  'a part of a large file': {
    request: { target: CSV, headers: { range: 'bytes=0-9' } },
    status: 206,
    result: 'bypass',
  },
  'a range without bytes': {
    request: { target: CSV, headers: { range: 'bytes=99999999-' } },
    status: 416,
    result: 'bypass',
  },
  'a precondition that fails': {
    request: { target: '/', headers: { 'if-match': '"other"' } },
    status: 412,
    result: 'bypass',
  },
  "a path that is not the application's": {
    request: { target: '/null' },
    status: 404,
    result: 'bypass',
  },
  'a method that pages do not have': {
    request: { method: 'DELETE', target: '/rendered' },
    status: 405,
    result: 'bypass',
  },
  'an unknown host': {
    request: { target: '/rendered', headers: { host: 'evil.example' } },
    status: 400,
    result: 'bypass',
  },
  'a render that fails': { request: { target: '/boom' }, status: 500, result: 'bypass' },
};

/** Properties of every answer, whichever step has made it. */
export const leaving = caseFile('leaving', (add) => {
  const framework = { parity: false };

  for (const [label, { request, status, result }] of Object.entries(JOURNEYS)) {
    add(
      `${label} has one Cache-Status, and one event`,
      async (t) => {
        const events: RequestEvent[] = [];
        const channel = channelOf('ng-ssr:request');
        const listener = (event: RequestEvent): void => void events.push(event);
        channel.subscribe(listener);
        onTestFinished(() => channel.unsubscribe(listener));
        const response = await t.request(request);
        expect(response.status).toBe(status);
        const lines = headerLines(response, 'cache-status');
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatch(/^ng-ssr; \S/);
        if (t.isInOtherProcess) return;
        const { method = 'GET', target } = request;
        const bytes = response.body.byteLength;
        const cacheStatus = lines[0];
        // A client may have opened a connection with other requests.
        const own = events.filter((event) => event.target === target);
        expect(own).toMatchObject([{ method, target, status, bytes, cacheStatus, result }]);
      },
      framework,
    );
  }

  add(
    'the answer to a purge has one Cache-Status',
    async (t) => {
      const refused = await t.request({ method: 'POST', target: PURGE_ENDPOINT.path, body: '{}' });
      expect(refused.status).toBe(401);
      const purged = await purge(t, { path: '/stored/page/left', hard: true });
      expect(purged.status).toBe(200);
      for (const response of [refused, purged]) {
        const [line, ...others] = headerLines(response, 'cache-status');
        expect(line).toMatch(/^ng-ssr; detail=\S/);
        expect(others).toEqual([]);
      }
    },
    { profile: 'stored pages' },
  );
});
