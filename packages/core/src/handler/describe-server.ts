import type { RenderEngine } from '../engine.ts';
import type { SsrError } from '../errors.ts';
import { channelOf } from '../telemetry/channels.ts';
import type { OwnExtension } from '../path/own-feature.ts';
import type { ServerDescription } from '../telemetry/server-description.ts';
import { noticeOfAddon } from './addon-notice.ts';
import { fillPage } from './fill-page.ts';
import type { Parts } from './compose-on-node.ts';
import type { SsrOptions } from './options.ts';
import { onError as readOnError } from './resolve-options.ts';
import { noticesOfUnmatched } from './unmatched-rules.ts';

const channel = channelOf('ng-ssr:server');

/** Notes what a server reports while it is created, for `ng-ssr:server`. */
export interface WatchedStart {
  readonly options: SsrOptions;
  /** Whether pages of the build are rendered, too. */
  readonly rendersAll: boolean;
  readonly isFilling: boolean;
  /** To be called with the parts that were made, and with what holds and closes the server. */
  readonly publish: (parts: Parts, control: Pick<ServerDescription, 'close' | 'hold'>) => void;
}

/** @returns undefined without a subscriber, as in production. */
export function watchStart(given: SsrOptions): WatchedStart | undefined {
  if (!channel.hasSubscribers) return undefined;
  const notices: SsrError[] = [];
  const report = readOnError('onError', given.onError);
  const onError = (error: SsrError): void => {
    notices.push(error);
    report(error);
  };
  let compared: SsrOptions | undefined;
  const compare = (isFast: boolean): boolean => {
    const engine = given.engine.compared?.(isFast);
    if (engine !== undefined) compared = toCompared(given, engine);
    return engine !== undefined;
  };
  let isFilling = false;
  const fill = (): void => void (isFilling = true);
  channel.publish({ event: 'start', compare, fill });
  return {
    options: { ...(compared ?? given), onError },
    rendersAll: compared !== undefined,
    isFilling,
    publish: (parts, control) => {
      const hasOnError = given.onError !== undefined;
      const all = [...notices, noticeOfAddon() ?? []].flat();
      const description = { ...describe(parts, all, hasOnError), ...control };
      channel.publish({ event: 'create', description });
    },
  };
}

/** Each page is rendered when it is asked for, and an error says what it is. */
function toCompared(given: SsrOptions, engine: RenderEngine): SsrOptions {
  return {
    ...given,
    engine,
    cache: false,
    render: { ...given.render, maxWaitMs: DAY_MS, fallbacks: [] },
    ...{ errorDetails: true, errorPages: false },
  };
}

const DAY_MS = 86_400_000;

function describe(
  parts: Parts,
  notices: readonly SsrError[],
  hasOnError: boolean,
): Omit<ServerDescription, 'close' | 'hold'> {
  const { options, runtime, server } = parts;
  const { constantPages, host } = runtime;
  const { allowedHosts, trustProxyHeaders, files, cache, render, probes } = options;
  const { folder, maxFileBytes, maxBytes, encodings } = files;
  const { maxWaitMs, timeoutMs } = render;
  return {
    allowedHosts: host.allowedHosts(),
    areHostsAsked: typeof allowedHosts === 'function',
    trustProxyHeaders,
    files: { folder, maxFileBytes, maxBytes, encodings },
    cache: cache === false ? undefined : { maxBytes: cache.maxBytes, languages: cache.languages },
    ...describeFeatures(server.extensions),
    render: { maxWaitMs, timeoutMs },
    probes: { live: probes?.live, ready: probes?.ready?.path },
    errorDetails: options.errorDetails,
    hasOnError,
    notices,
    fill: (url, changedAtMs) => fillPage(server, url, changedAtMs),
    load: async () => {
      await host.engine().load?.();
      await constantPages.ask(host.engine());
      return noticesOfUnmatched(parts);
    },
  };
}

function describeFeatures(
  extensions: ReadonlyMap<string, OwnExtension>,
): Pick<ServerDescription, 'endpoints' | 'features'> {
  const described = [...extensions].map(([name, each]) => [name, each.describe?.() ?? {}] as const);
  return {
    endpoints: described.flatMap(([, { endpoints = [] }]) => endpoints),
    features: Object.fromEntries(described.map(([name, { settings = {} }]) => [name, settings])),
  };
}
