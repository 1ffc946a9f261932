import { afterAll, beforeAll, describe, test } from 'vitest';
import { createCaseContext } from './case-context.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { isShort } from './fuzz/extent.ts';
import { createFixtureSite, type FixtureSite } from './fixture-site.ts';
import type { ProfileName } from './profiles.ts';
import {
  formatResult,
  RESULTS_FOLDER_VARIABLE,
  writeResult,
  type Outcome,
  type SuiteResult,
} from './results/results.ts';
import { recordResponse, type RecordedResponse } from './results/transcript.ts';
import { WIRE_FOLDER_VARIABLE, WireLog } from './results/wire-log.ts';
import { startServer, type RunningServer } from './running-server.ts';
import { selectCases } from './select-cases.ts';
import type { ConformanceSuite, Hits } from './server-contract.ts';

const CASE_TIMEOUT_MS = 30_000;

/** One run of cases against one adapter. */
export interface CaseRun {
  /** The adapter, its name and its expected failures. */
  readonly suite: ConformanceSuite;
  readonly cases: readonly ConformanceCase[];
  /** The option `serveHits` of the servers. */
  readonly serveHits: Hits;
  /** The run's name in reports. */
  readonly label: SuiteResult['run'];
}

/**
 * Defines one vitest test per case that applies, and the report after them.
 *
 * @param run - The cases and the adapter.
 * @throws Error when `expectedFailures` names no case, or `leftOut` no group.
 */
export function defineCases({ suite, cases, serveHits, label }: CaseRun): void {
  const names = new Set(cases.map(({ name }) => name));
  for (const name of Object.keys(suite.expectedFailures ?? {})) {
    if (names.has(name)) continue;
    throw new Error(`expectedFailures of ${suite.name} names no case: ${JSON.stringify(name)}.`);
  }
  for (const group of Object.keys(suite.leftOut ?? {})) {
    if (cases.some(({ name }) => name.startsWith(group))) continue;
    throw new Error(`leftOut of ${suite.name} names no group: ${JSON.stringify(group)}.`);
  }
  const applying = cases.filter((each) => applies(each, suite, serveHits));
  const { isReference, isVariant } = suite;
  const name = `${suite.name}/${label}`;
  const { chosen, left } = selectCases(applying, { name, isReference, isVariant, isShort });
  const options = { concurrent: false, timeout: CASE_TIMEOUT_MS };
  describe(`conformance ${name}`, options, () => {
    const servers = new Map<ProfileName, Promise<RunningServer>>();
    const outcomes: Record<string, Outcome> = {};
    const transcript: Record<string, RecordedResponse[]> = {};
    const wireFolder = process.env[WIRE_FOLDER_VARIABLE];
    const wire = wireFolder ? new WireLog() : undefined;
    let site: FixtureSite;

    const running = (profile: ProfileName) => {
      const known = servers.get(profile) ?? startServer(suite, serveHits, profile, site);
      servers.set(profile, known);
      return known;
    };

    const run = async (each: ConformanceCase) => {
      const profile = each.profile ?? 'standard';
      const server = await running(profile);
      server.engine.reset();
      server.errors.length = 0;
      const responses: RecordedResponse[] = [];
      const start = () => startServer(suite, serveHits, profile, site);
      await each.run(
        createCaseContext(
          site,
          server,
          start,
          (response) => {
            responses.push(recordResponse(response));
          },
          wire?.case(each.name),
        ),
      );
      if (each.parity !== false) transcript[each.name] = responses;
    };

    beforeAll(async () => {
      site = await createFixtureSite();
    });

    for (const each of chosen) {
      const reason = reasonToFail(suite, serveHits, each.name);
      const title = reason === undefined ? each.name : `${each.name} (expected to fail: ${reason})`;
      const define = reason === undefined ? test : test.fails;
      define(title, async () => {
        outcomes[each.name] = reason === undefined ? 'failed' : 'expected failure';
        await run(each);
        outcomes[each.name] = reason === undefined ? 'passed' : 'failed';
      });
    }

    afterAll(async () => {
      const notRun = left.map(({ name }) => name);
      const result: SuiteResult = { name: suite.name, run: label, outcomes, transcript, notRun };
      console.log(formatResult(result));
      const folder = process.env[RESULTS_FOLDER_VARIABLE];
      if (folder) await writeResult(folder, result);
      if (wireFolder) await wire?.write(wireFolder, suite.name, label);
      for (const started of await Promise.allSettled(servers.values())) {
        if (started.status === 'rejected') continue;
        started.value.engine.reset();
        await started.value.server.close();
      }
      await site.dispose();
    });
  });
}

function reasonToFail(suite: ConformanceSuite, serveHits: Hits, name: string): string | undefined {
  const expected = suite.expectedFailures?.[name];
  if (expected === undefined || typeof expected === 'string') return expected;
  return expected.serveHits.includes(serveHits) ? expected.reason : undefined;
}

function applies(each: ConformanceCase, suite: ConformanceSuite, serveHits: Hits): boolean {
  const { protocol = 'http/1.1', leftOut = {} } = suite;
  if (Object.keys(leftOut).some((group) => each.name.startsWith(group))) return false;
  if ((each.wire && protocol !== 'http/1.1') || (each.h2 && protocol !== 'h2')) return false;
  return !(each.afterMiddleware && serveHits === 'before-middleware');
}
