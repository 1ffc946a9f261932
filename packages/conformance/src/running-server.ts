import { toFeatures } from './fixture-features.ts';
import type { FixtureSite } from './fixture-site.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import type { ConformanceServer, ConformanceSuite, Hits } from './server-contract.ts';
import { createStubEngine, type StubEngine } from './stub-engine.ts';

/** A server under test, with its engine and its reported errors. */
export interface RunningServer {
  readonly server: ConformanceServer;
  readonly engine: StubEngine;
  /** Errors passed to `onError`. */
  readonly errors: unknown[];
}

/**
 * Starts an adapter's server and waits until it is ready.
 *
 * @param suite - The adapter.
 * @param hits - The option of that name.
 * @param profile - The options to run with.
 * @param site - The site to serve.
 */
export async function startServer(
  suite: ConformanceSuite,
  serveHits: Hits,
  profile: ProfileName,
  site: FixtureSite,
): Promise<RunningServer> {
  const { features = [], ...options } = PROFILES[profile];
  const engine = createStubEngine();
  const errors: unknown[] = [];
  const server = await suite.createServer(
    {
      ...options,
      features: toFeatures(features, site.browserFolder, suite.features),
      engine,
      files: { ...options.files, folder: site.browserFolder },
      onError: (error) => void errors.push(error),
    },
    serveHits,
  );
  await (typeof server.ready === 'function' ? server.ready() : server.ready);
  return { server, engine, errors };
}
