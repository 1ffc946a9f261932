import { platform } from '#platform';
import { SsrError } from '../errors.ts';
import { ownBundle } from '../render/locale-bundle.ts';
import { defaultConcurrency } from '../render/render-options.ts';
import { type RenderThreadData, renderThread } from '../render-thread.ts';
import { serverThread } from '../server-thread.ts';
import type { ServerThreads } from '../threads/server-threads.ts';
import { type Composition, compose, type HandlerHooks } from '../path/compose.ts';
import { forServer } from '../path/for-server.ts';
import { ErrorReports } from '../path/error-reports.ts';
import { type NodeRuntime, nodeRuntime } from './node-runtime.ts';
import { type ResolvedOptions, resolveOptions, type SsrOptions } from './options.ts';

/** The parts of a server on Node, each made once. */
export interface Parts extends Composition {
  /** Which of the program's handlers it is, from 0 in order of creation. */
  readonly handler: number;
  readonly options: ResolvedOptions;
  readonly runtime: NodeRuntime;
  /** Those of the feature. */
  readonly serverThreads: ServerThreads | undefined;
}

/** Handlers created so far: a render thread finds its own by its number. */
let handlers = 0;

/**
 * Checks the options, indexes the built files, and makes the parts of a handler.
 *
 * @param rendersAll - Whether pages of the build are rendered, too.
 * @param isFilling - Whether it fills its page store, so that no visitor waits.
 * @throws SsrError `NG_SSR_PLATFORM_INVALID`, `NG_SSR_THREAD_NOT_STARTED`, and as {@link SsrHandler}.
 */
export function composeOnNode(
  given: SsrOptions,
  rendersAll: boolean,
  hooks: HandlerHooks,
  isFilling: boolean,
): Parts {
  assertNode();
  const handler = handlers++;
  const resolved = resolveOptions(given);
  const reports = new ErrorReports(resolved.onError);
  const options = { ...forThread(resolved, handler), onError: reports.onError };
  const isBuilt = options.files.folder !== undefined;
  const isStored = isBuilt && options.cache !== false;
  const { features: all } = rendersAll ? withoutClients(options) : options;
  const features = forServer(all, { isBuilt, isStored, isFilling });
  const renderThreads = features.find((each) => each.renderThreads)?.renderThreads;
  const serverThreads = features.find((each) => each.serverThreads)?.serverThreads;
  const isServerThread = serverThread?.handler === handler && ownBundle === undefined;
  // Without the feature, it would be a server of its own.
  if (isServerThread && serverThreads === undefined) {
    throw new SsrError('NG_SSR_THREAD_NOT_STARTED', missing('withServerThreads()', 'server'));
  }
  const main = isServerThread ? serverThreads!.join(serverThread!) : undefined;
  const { concurrency = defaultConcurrency(renderThreads?.threads) } = options.render;
  // The bundle of another locale runs the program once more.
  const isMain = [renderThread, serverThread, ownBundle].every((each) => each === undefined);
  const ownThreads = isBuilt && main === undefined ? renderThreads : undefined;
  const place = { handler, isMain, main, rendersAll, renderThreads: ownThreads };
  const runtime = nodeRuntime(options, place, reports, features);
  const limited = { ...options, render: { ...options.render, concurrency } };
  const composition = compose(runtime, limited, features, reports, hooks);
  return { ...composition, handler, options, runtime, serverThreads };
}

/**
 * A render thread answers no requests: it needs no built files, stored pages, log or probes. Nor do the other
 * handlers of a program in the threads of one of its servers.
 */
function forThread(options: ResolvedOptions, handler: number): ResolvedOptions {
  // The bundle of another locale has loaded this one, and answers.
  if (ownBundle !== undefined) return forNoRequests(options);
  if (renderThread === undefined && serverThread === undefined) return options;
  // Its main thread renders.
  if (serverThread?.handler === handler) return options;
  if (renderThread?.handler === handler) answerRenders(options, renderThread);
  return forNoRequests(options);
}

/** @throws SsrError `NG_SSR_WORKER_NOT_STARTED`: without the feature, renders that are sent here would wait. */
function answerRenders({ engine, features }: ResolvedOptions, thread: RenderThreadData): void {
  const feature = features.find((each) => each.answerRenders !== undefined);
  if (feature === undefined) {
    throw new SsrError('NG_SSR_WORKER_NOT_STARTED', missing('withRenderThreads()', 'render'));
  }
  feature.answerRenders!(engine, thread);
}

function missing(feature: string, kind: string): string {
  return `${feature} is missing in the features of this ${kind} thread: they must be the same in all threads`;
}

function forNoRequests(options: ResolvedOptions): ResolvedOptions {
  const files = { ...options.files, folder: undefined };
  return { ...withoutClients(options), files, probes: undefined, cache: false };
}

/** Without features that are for requests of clients alone. */
function withoutClients(options: ResolvedOptions): ResolvedOptions {
  const features = options.features.filter(({ isForClients }) => isForClients !== true);
  return { ...options, features };
}

/** A bundler that does not know Node's condition would leave out what attributes errors and calls to their renders. */
function assertNode(): void {
  if (platform.name === 'node') return;
  const message =
    'this server needs Node, and its bundle was built for another platform: add "node" to the export conditions of ' +
    'the bundler, or use createNeutralSsrHandler of @ng-ssr/fetch/neutral';
  throw new SsrError('NG_SSR_PLATFORM_INVALID', message);
}
