import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';
import { type RenderEngine, type SsrError, unhandledErrors } from '@ng-ssr/core';
import { callingStubPage } from '../calling-stub-pages.ts';
import { type CallingFeatures, toFeatures } from '../fixture-features.ts';
import type { ConformanceServer, ConformanceServerOptions, Hits } from '../server-contract.ts';
import type {
  ChildParameters,
  HostAnswer,
  RenderOutcome,
  RenderQuestion,
  ReportedError,
} from './protocol.ts';
import { ReportingThreads } from './reporting-threads.ts';
import { toResponse } from './to-response.ts';

/** The suite that has started this program. */
export interface SuiteConnection {
  readonly serveHits: Hits;
  /** For the adapter. In every thread the engine calls the suite's engine. */
  readonly options: ConformanceServerOptions;
  /**
   * Reports that a server listens, once it is ready. Ends it and the process when the suite has ended.
   */
  serve(server: ConformanceServer): Promise<never>;
}

/**
 * Connects a program that `startChild` has started to the suite in the parent process.
 *
 * @param features - As those of the suite.
 * @throws Error when the program was started otherwise.
 */
export function connectToSuite(features?: CallingFeatures): SuiteConnection {
  const { engineOrigin, builtHosts, serveHits, options } = readParameters();
  const threads = new ReportingThreads();
  const ask = async (path: string, value: unknown): Promise<unknown> => {
    const body = JSON.stringify(value);
    return (await fetch(engineOrigin + path, { method: 'POST', body })).json();
  };
  /** Resolves when the suite has received all reports so far. */
  let reported: Promise<unknown> = Promise.resolve();
  const report = (path: string, value: unknown): void => {
    reported = reported.then(() => ask(path, value));
  };

  const render: RenderEngine = async (request) => {
    const { url, headers } = request;
    const calling = callingStubPage(request);
    if (calling !== undefined) return calling;
    const leave = unhandledErrors();
    await reported;
    const question: RenderQuestion = { url, headers: [...headers] };
    const outcome = (await ask('/render', question)) as RenderOutcome;
    if (outcome.kind === 'response') {
      for (const message of outcome.unhandled) leave?.(new Error(message));
    }
    return toResponse(outcome);
  };
  const engine = Object.assign(render, {
    setup: (setup: unknown) => report('/setup', setup),
    allowedHosts: () => builtHosts,
  });
  const onError = (error: unknown): void => {
    const { code, message, cause } = error as SsrError;
    const reason = cause instanceof Error ? cause.message : undefined;
    report('/error', { code, message, cause: reason } satisfies ReportedError);
  };
  const askForHost = async (host: string): Promise<boolean> => {
    const { isAllowed } = (await ask('/host', host)) as HostAnswer;
    if (isAllowed === undefined) throw new Error('the suite does not know');
    return isAllowed;
  };
  return {
    serveHits,
    options: {
      ...options,
      allowedHosts: options.allowedHosts ?? askForHost,
      features: toFeatures(options.features, options.files.folder, features),
      engine,
      onError,
    },
    async serve({ port, ready, close }) {
      await (typeof ready === 'function' ? ready() : ready);
      // The main thread speaks for its server threads.
      if (!isMainThread) return threads.join(() => reported);
      console.log(port);
      // Each line asks whether all reports have been sent.
      for await (const _line of createInterface(process.stdin)) {
        await Promise.all([reported, threads.haveReported()]);
        console.log();
      }
      await close();
      await reported;
      process.exit();
    },
  };
}

function readParameters(): ChildParameters {
  const parameters = process.argv[2];
  if (parameters === undefined) throw new Error('This program is started by a conformance suite.');
  return JSON.parse(parameters) as ChildParameters;
}
