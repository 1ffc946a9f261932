import { check } from '../check-option.ts';
import type { Resource } from '../answers/resource.ts';
import type { Answer, StreamedAnswer } from '../exchange.ts';
import { RenderRules } from './render-rules.ts';
import type { RequestFiles } from './request-files.ts';
import type { Pages } from '../pages/pages.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { CoreOptions } from './core-options.ts';
import { ConstantAnswers, MissingFiles, RefusedPrefetches } from './core-substitutes.ts';
import type { Endpoint } from './endpoint.ts';
import type { HeldFile } from './feature.ts';
import { OverloadFallbacks } from './overload-fallbacks.ts';
import type { OwnCore, OwnExtension } from './own-feature.ts';
import type { JoinedFeatures, PathFiles, PathOptions, PathParts } from './path-parts.ts';

/**
 * In a server thread the main thread falls back when a page is too late. Only a main thread that is busy for longer
 * than this leaves that to the server thread.
 */
const MAIN_LATE_MS = 250;

/** What the request path is made of. */
interface Made {
  readonly core: OwnCore;
  readonly options: CoreOptions;
  readonly files: RequestFiles;
  readonly pages: Pages;
  /** Pages of the engine that are the same for every request. */
  readonly constantPages: { find(target: string): Resource | undefined };
  readonly extensions: readonly OwnExtension[];
}

/** The parts of the request path, with those of its features. */
export function toPathParts({
  core,
  options,
  files,
  pages,
  constantPages,
  extensions,
}: Made): PathParts {
  const { failures, isBuilt, isTrusted, main, report } = core;
  const findOther = extensions.find((each) => each.findOther !== undefined)?.findOther;
  const missingFiles = new MissingFiles(files, failures, findOther);
  const made = extensions.flatMap(({ file }) => file ?? []);
  const mayPrefetch = options.render.prefetch || !isBuilt;
  const mayRefuse = Object.values(options.routeRules).some(({ ssr }) => ssr !== undefined);
  return {
    ...{ pages, failures, missingFiles },
    options: toPathOptions(options, isBuilt, main !== undefined),
    files: made.length === 0 ? files : withFiles(files, made),
    endpoints: toEndpoints(extensions),
    substitutes: [
      missingFiles,
      ...extensions.flatMap(({ substitutes = [] }) => substitutes),
      ...(mayRefuse ? [new RenderRules({ files, isTrusted, onError: report })] : []),
      new ConstantAnswers(constantPages),
      ...(mayPrefetch ? [] : [new RefusedPrefetches(failures)]),
    ],
    overload: new OverloadFallbacks(files, report),
    features: {
      onMiss: joinMisses(extensions),
      finish: joinFinishes(extensions),
      completion: extensions.find(({ completion }) => completion !== undefined)?.completion,
      timePage: extensions.find(({ timePage }) => timePage !== undefined)?.timePage,
    },
    log: extensions.find(({ log }) => log !== undefined)?.log,
  };
}

/** @throws SsrError `NG_SSR_OPTION_INVALID` for two with the same path: the second would get no request. */
function toEndpoints(extensions: readonly OwnExtension[]): readonly Endpoint[] {
  const all = extensions.flatMap(({ endpoints = [] }) => endpoints);
  const optionOf = new Map<string, string>();
  for (const { option, path } of all.flatMap(({ route }) => route ?? [])) {
    const other = optionOf.get(path);
    check(option, path, other === undefined, `a path that ${other} does not have`);
    optionOf.set(path, option);
  }
  return all;
}

function toPathOptions(
  { cache, render }: CoreOptions,
  isBuilt: boolean,
  isThread: boolean,
): PathOptions {
  return {
    fallbacks: render.fallbacks,
    maxWaitMs: render.maxWaitMs,
    hasDeadlines: isBuilt,
    graceMs: isThread ? MAIN_LATE_MS : 0,
    invalidates: cache !== false && cache.invalidateOnUnsafeMethods,
  };
}

/** Files that the server makes come before those of the build. */
function withFiles(files: RequestFiles, made: readonly HeldFile[]): PathFiles {
  const findMade = (request: ParsedRequest): Resource | undefined => {
    if (!request.isRead || request.site.verdict !== 'allowed') return undefined;
    for (const file of made) {
      const found = file.find(request);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    find: (request) => findMade(request) ?? files.find(request),
    findLarge: (request) => files.findLarge(request),
    isNotFoundPage: files.isNotFoundPage,
  };
}

function joinMisses(extensions: readonly OwnExtension[]): JoinedFeatures['onMiss'] {
  const called = extensions.filter((each) => each.onMiss !== undefined);
  if (called.length === 0) return undefined;
  return (request) => {
    for (const each of called) each.onMiss!(request);
  };
}

function joinFinishes(extensions: readonly OwnExtension[]): JoinedFeatures['finish'] {
  const called = extensions.filter((each) => each.finish !== undefined);
  if (called.length === 0) return undefined;
  return <Sent extends Answer | StreamedAnswer>(answer: Sent, request: ParsedRequest): Sent =>
    called.reduce((finished, each) => each.finish!(finished, request), answer);
}
