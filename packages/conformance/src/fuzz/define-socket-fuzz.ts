import { afterAll, describe, expect, it } from 'vitest';
import { createFixtureSite } from '../fixture-site.ts';
import type { ConformanceServerOptions, ConformanceSuite } from '../server-contract.ts';
import { ECHO_RULES, echoEngine } from './echo-engine.ts';
import { stress } from './extent.ts';
import { fuzzOptions } from './fuzz-options.ts';
import { fuzzOverSockets } from './fuzz-over-sockets.ts';

/** The number of requests over sockets for each value of `serveHits` of an adapter; a short run sends fewer. */
const ORDINARY_REQUESTS = 2_000;
/** Errors that the pages and hosts of the fuzz cause. */
const EXPECTED_CODES = new Set([
  'NG_SSR_HOST_NOT_ALLOWED',
  'NG_SSR_RENDER_FAILED',
  'NG_SSR_RESPONSE_INVALID',
]);

/**
 * Sends hostile requests over sockets to an adapter, for each value of `serveHits`: no answer holds the data of another
 * request, no Content-Length is wrong, and only a page causes a status of 5xx. NG_SSR_FUZZ_REQUESTS
 * sets the number of requests, NG_SSR_FUZZ_SEED repeats a run.
 */
export function defineSocketFuzz({
  name,
  serveHits = ['after-middleware'],
  createServer,
}: Pick<ConformanceSuite, 'name' | 'serveHits' | 'createServer'>): void {
  const { requests, seed } = fuzzOptions(stress(ORDINARY_REQUESTS));
  const disposals: (() => unknown)[] = [];
  afterAll(async () => {
    for (const dispose of disposals.reverse()) await dispose();
  });

  describe.each(serveHits)(
    `${name}, %s: ${requests} hostile requests, seed ${seed}`,
    (serveHits) => {
      it('gets its own answer or an honest refusal each time', { timeout: 0 }, async () => {
        const site = await createFixtureSite();
        disposals.push(() => site.dispose());
        const codes = new Set<string>();
        const options: ConformanceServerOptions = {
          engine: echoEngine(),
          allowedHosts: ['localhost'],
          files: { folder: site.browserFolder },
          errorDetails: false,
          routeRules: ECHO_RULES,
          onError: (error) => codes.add((error as { code?: string }).code ?? String(error)),
        };
        const server = await createServer(options, serveHits);
        disposals.push(() => server.close());
        const report = await fuzzOverSockets(server.port!, { requests, seed });
        expect(report.problems).toEqual([]);
        expect([...codes].filter((code) => !EXPECTED_CODES.has(code))).toEqual([]);
        expect(report.sent).toBeGreaterThanOrEqual(requests);
        expect(report.statuses[200]).toBeGreaterThan(0);
      });
    },
  );
}
