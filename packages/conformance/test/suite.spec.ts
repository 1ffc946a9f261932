import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaseContext } from '../src/case-context.ts';
import { conformanceCases } from '../src/cases/index.ts';
import { caseFile } from '../src/conformance-case.ts';
import { createFixtureSite, type FixtureSite } from '../src/fixture-site.ts';
import type { RunningServer } from '../src/running-server.ts';
import { createStubEngine } from '../src/stub-engine.ts';
import { defineConformanceSuite } from '../src/suite.ts';
import { recordResponse, type RecordedResponse } from '../src/results/transcript.ts';

/** A case of each file that a server which says 200 and a page to everything must not pass. */
const MUST_FAIL = [
  ...['pages › / is the prerendered page', 'files › /.env is not served'],
  'large files › a large file arrives whole',
  'host › a Host with a fragment is refused everywhere',
  ...['host › evil.shop.example is refused (standard)', 'target › /..%2fsecret.txt is refused'],
  'engine request › /echo arrives with host, path and query',
  'forwarded › without trust the engine does not see them',
  'preconditions › If-None-Match with the tag is a 304 (a file)',
  ...['negotiation › Accept-Encoding "br" gives br', 'ranges › bytes=0-99 is a 206 (a page)'],
  ...['head › the engine sees GET for HEAD', 'methods › POST /about is a 405'],
  ...['errors › a render that throws is a plain 500', 'middleware › its headers are on a page'],
  'cookies › every Set-Cookie of a rendered page is a line of its own',
  'user routes › a deliberate 404 is left alone',
  'connections › one connection carries a hit, a render, a 304, a 204 and a refusal',
  'stored pages › the second request is a hit',
  'stored pages › a page that may not be stored says why: set-cookie',
  ...['purge endpoint › a hard purge by path counts at once', 'purge endpoint › no token is a 401'],
  ...['calls › a route answers', 'public config › /about has it first in its head'],
];

describe('conformanceCases', () => {
  let server: Server;
  let site: FixtureSite;
  let running: RunningServer;
  const sayYes: RequestListener = (_, response) => response.end('<html>ng-server-context</html>');

  beforeAll(async () => {
    site = await createFixtureSite();
    server = createServer(sayYes);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    running = { server: { port, close: () => undefined }, engine: createStubEngine(), errors: [] };
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await site.dispose();
  });

  it('has one name per case, each of file and sentence', () => {
    const names = conformanceCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z ]+ › [\x20-\x7e]+$/);
  });

  it.each(MUST_FAIL)('notices a server that agrees to everything: %s', async (name) => {
    const found = conformanceCases.find((each) => each.name === name);
    expect(found).toBeDefined();
    const seen: RecordedResponse[] = [];
    const context = createCaseContext(
      site,
      running,
      async () => running,
      (response) => {
        seen.push(recordResponse(response));
      },
    );
    await expect(found?.run(context)).rejects.toThrow();
    expect(seen.length).toBeGreaterThan(0);
  });
});

describe('defineConformanceSuite', () => {
  it('refuses expected failures that are no case', () => {
    const createServer = () => ({ close: () => undefined });
    const expectedFailures = { 'pages › no such sentence': 'a reason' };
    expect(() => defineConformanceSuite({ name: 'x', createServer, expectedFailures })).toThrow(
      /x names no case: "pages › no such sentence"/,
    );
  });
});

describe('caseFile', () => {
  it('gives its traits to each case that has no others', async () => {
    const nothing = async () => undefined;
    const cases = caseFile({ file: 'file', core: true, parity: false }, (add) => {
      add('one', nothing);
      add('two', nothing, { core: false });
    });
    expect(cases).toEqual([
      { name: 'file › one', run: nothing, core: true, parity: false },
      { name: 'file › two', run: nothing, core: false, parity: false },
    ]);
  });

  it('refuses two cases of one name', () => {
    const nothing = async () => undefined;
    expect(() =>
      caseFile('file', (add) => {
        add('sentence', nothing);
        add('sentence', nothing);
      }),
    ).toThrow(/"file › sentence"/);
  });
});
