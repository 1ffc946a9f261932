import { afterAll, beforeAll, describe, test } from 'vitest';
import { createCaseContext } from './case-context.ts';
import { conformanceCases } from './cases/index.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { createFixtureSite, type FixtureSite } from './fixture-site.ts';
import type { ProfileName } from './profiles.ts';
import {
  formatResult,
  RESULTS_FOLDER_VARIABLE,
  writeResult,
  type Outcome,
  type SuiteResult,
} from './results/results.ts';
import { startServer, type RunningServer } from './running-server.ts';
import type { ConformanceSuite, Lane } from './server-contract.ts';
import { recordResponse, type RecordedResponse } from './results/transcript.ts';

const CASE_TIMEOUT_MS = 30_000;

/**
 * Defines the tests that every adapter must pass, once per lane. Call it at the top of a vitest spec.
 *
 * Each run prints one line; with `NG_SSR_CONFORMANCE_OUT` set it is also written into that folder as
 * a {@link SuiteResult}, with the responses for a comparison of adapters.
 *
 * @param suite - The adapter: how to start it, and what it cannot do.
 * @throws Error when `expectedFailures` names something that is no case.
 * @example
 * ```ts
 * defineConformanceSuite({
 *   name: 'node',
 *   createServer: async (options) => {
 *     const server = createNodeSsrServer(options);
 *     server.use(fixtureMiddleware);
 *     server.use(fixtureRoutes);
 *     const { port } = await server.listen(0);
 *     return { port, ready: server.ready, close: () => server.close() };
 *   },
 * });
 * ```
 */
export function defineConformanceSuite(suite: ConformanceSuite): void {
  const expectedFailures = suite.expectedFailures ?? {};
  const names = new Set(conformanceCases.map(({ name }) => name));
  for (const name of Object.keys(expectedFailures)) {
    if (names.has(name)) continue;
    throw new Error(`expectedFailures of ${suite.name} names no case: ${JSON.stringify(name)}.`);
  }
  for (const lane of suite.lanes ?? ['pipeline']) {
    const options = { concurrent: false, timeout: CASE_TIMEOUT_MS };
    describe(`conformance ${suite.name}/${lane}`, options, () => defineLane(suite, lane));
  }
}

function defineLane(suite: ConformanceSuite, lane: Lane): void {
  const servers = new Map<ProfileName, Promise<RunningServer>>();
  const outcomes: Record<string, Outcome> = {};
  const transcript: Record<string, RecordedResponse[]> = {};
  let site: FixtureSite;

  const running = (profile: ProfileName) => {
    const known = servers.get(profile) ?? startServer(suite, lane, profile, site);
    servers.set(profile, known);
    return known;
  };

  const run = async (each: ConformanceCase) => {
    const profile = each.profile ?? 'standard';
    const server = await running(profile);
    server.engine.reset();
    server.errors.length = 0;
    const responses: RecordedResponse[] = [];
    const start = () => startServer(suite, lane, profile, site);
    await each.run(
      createCaseContext(site, server, start, (response) => {
        responses.push(recordResponse(response));
      }),
    );
    if (each.parity !== false) transcript[each.name] = responses;
  };

  beforeAll(async () => {
    site = await createFixtureSite();
  });

  for (const each of conformanceCases) {
    if (!applies(each, suite, lane)) continue;
    const reason = reasonToFail(suite, lane, each.name);
    const title = reason === undefined ? each.name : `${each.name} (expected to fail: ${reason})`;
    const define = reason === undefined ? test : test.fails;
    define(title, async () => {
      outcomes[each.name] = reason === undefined ? 'failed' : 'expected failure';
      await run(each);
      outcomes[each.name] = reason === undefined ? 'passed' : 'failed';
    });
  }

  afterAll(async () => {
    const result: SuiteResult = { name: suite.name, lane, outcomes, transcript };
    console.log(formatResult(result));
    const folder = process.env[RESULTS_FOLDER_VARIABLE];
    if (folder) await writeResult(folder, result);
    for (const started of await Promise.allSettled(servers.values())) {
      if (started.status === 'rejected') continue;
      started.value.engine.reset();
      await started.value.server.close();
    }
    await site.dispose();
  });
}

function reasonToFail(suite: ConformanceSuite, lane: Lane, name: string): string | undefined {
  const expected = suite.expectedFailures?.[name];
  if (expected === undefined || typeof expected === 'string') return expected;
  return expected.lanes.includes(lane) ? expected.reason : undefined;
}

function applies(each: ConformanceCase, suite: ConformanceSuite, lane: Lane): boolean {
  if (each.wire && (suite.protocol ?? 'http/1.1') !== 'http/1.1') return false;
  return !(each.pipeline && lane === 'front');
}
