import type { Resource } from '../answers/resource.ts';
import type { Answer, FileAnswer } from '../exchange.ts';
import type { RequestFiles } from './request-files.ts';
import type { Visit } from '../pages/visit.ts';
import type { CoreOptions } from './core-options.ts';
import type { HeldFile } from './feature.ts';
import type { OwnExtension } from './own-feature.ts';
import type { PathFiles, PathOptions, PathParts } from './path-parts.ts';
import type { Substitute } from './substitute.ts';

/**
 * In a server thread the main thread falls back when a page is too late. Only a main thread that is busy for longer
 * than this leaves that to the server thread.
 */
const MAIN_LATE_MS = 250;

/** The parts that no feature extends. */
type OwnParts = Pick<PathParts, 'select' | 'pages' | 'failures' | 'missingFiles' | 'ladder'> & {
  readonly files: RequestFiles;
};

/** What decides on the settings of the path. */
type Settings = Pick<CoreOptions, 'cache' | 'render' | 'serverTiming'> & {
  readonly isBuilt: boolean;
  readonly isThread: boolean;
};

/**
 * The parts of the request path, with those of its features.
 *
 * @param last - Substitutes that are asked after those of features.
 */
export function toPathParts(
  own: OwnParts,
  settings: Settings,
  extensions: readonly OwnExtension[],
  last: readonly Substitute[],
): PathParts {
  const made = extensions.map(({ file }) => file).filter((file) => file !== undefined);
  const ofFeatures = extensions.flatMap(({ substitutes = [] }) => substitutes);
  return {
    ...own,
    options: toPathOptions(settings),
    files: made.length === 0 ? own.files : withFiles(own.files, made),
    endpoints: extensions.flatMap(({ endpoints = [] }) => endpoints),
    substitutes: [own.missingFiles, ...ofFeatures, ...last],
    onMiss: joinMisses(extensions),
    finish: joinFinishes(extensions),
    log: extensions.find(({ log }) => log !== undefined)?.log,
  };
}

function toPathOptions({ cache, render, serverTiming, isBuilt, isThread }: Settings): PathOptions {
  return {
    fallbacks: render.fallbacks,
    deadlineMs: render.deadlineMs,
    hasDeadlines: isBuilt,
    graceMs: isThread ? MAIN_LATE_MS : 0,
    serverTiming,
    invalidates: cache !== false && cache.invalidateOnUnsafeMethods,
  };
}

/** Files that the server makes come before those of the build. */
function withFiles(files: RequestFiles, made: readonly HeldFile[]): PathFiles {
  const findMade = (visit: Visit): Resource | undefined => {
    for (const file of made) {
      const found = file.find(visit);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    find: (visit) => findMade(visit) ?? files.find(visit),
    findLarge: (visit) => files.findLarge(visit),
    isNotFoundPage: (resource) => files.isNotFoundPage(resource),
  };
}

function joinMisses(extensions: readonly OwnExtension[]): PathParts['onMiss'] {
  const called = extensions.filter((each) => each.onMiss !== undefined);
  if (called.length === 0) return undefined;
  return (visit) => {
    for (const each of called) each.onMiss!(visit);
  };
}

function joinFinishes(extensions: readonly OwnExtension[]): PathParts['finish'] {
  const called = extensions.filter((each) => each.finish !== undefined);
  if (called.length === 0) return undefined;
  return <Sent extends Answer | FileAnswer>(answer: Sent, visit: Visit): Sent =>
    called.reduce((finished, each) => each.finish!(finished, visit), answer);
}
