import { fileURLToPath } from 'node:url';
import { findOriginals } from './original-positions.ts';
import { sourceMapOf } from './source-maps.ts';

/** `file:///app/server/chunk.mjs:1:482` or `/app/server/chunk.cjs:1:482`: line and column count from 1. */
const PLACE = /((?:file:\/\/|\/|[A-Za-z]:\\)[^\s()]*?\.[mc]?js):(\d+):(\d+)/g;
/** Deeper frames are left as they are. */
const MOST_FRAMES = 50;
/** In each second: a server whose pages all fail has better things to do. */
const MOST_MS = 200;
const MOST_REMEMBERED = 100;

/** Stacks that were asked for before: errors repeat themselves. */
const remembered = new Map<string, string>();
let second = 0;
let spentMs = 0;

/**
 * Names the files of the source in a stack, where source maps are beside the bundles. Never throws; a stack for which
 * there is no map, or no time, is returned as it is.
 */
export function nameSources(stack: string): string {
  const known = remembered.get(stack);
  if (known !== undefined) return known;
  const startMs = performance.now();
  const now = Math.floor(startMs / 1000);
  if (now !== second) [second, spentMs] = [now, 0];
  if (spentMs > MOST_MS) return stack;
  const named = replacePlaces(stack);
  spentMs += performance.now() - startMs;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(stack, named);
  return named;
}

/** A place in a stack. */
interface Place {
  readonly text: string;
  readonly bundle: string;
  readonly line: number;
  readonly column: number;
}

function replacePlaces(stack: string): string {
  const places = [...stack.matchAll(PLACE)].slice(0, MOST_FRAMES).flatMap(toPlace);
  const originals = new Map<string, string>();
  for (const bundle of new Set(places.map((place) => place.bundle))) {
    const ofBundle = places.filter((place) => place.bundle === bundle);
    for (const [at, original] of locate(bundle, ofBundle).entries()) {
      if (original !== undefined) originals.set(ofBundle[at]!.text, original);
    }
  }
  return originals.size === 0 ? stack : stack.replace(PLACE, (text) => originals.get(text) ?? text);
}

function toPlace([text, file = '', line, column]: RegExpExecArray): readonly Place[] {
  try {
    const bundle = file.startsWith('file:') ? fileURLToPath(file) : file;
    return [{ text, bundle, line: Number(line) - 1, column: Number(column) - 1 }];
  } catch {
    return [];
  }
}

/** Each place as `src/app/app.ts:12:5`. */
function locate(bundle: string, places: readonly Place[]): readonly (string | undefined)[] {
  const map = sourceMapOf(bundle);
  if (map === undefined) return [];
  try {
    return findOriginals(map.mappings, places).map((original) => {
      const source = original && map.sources[original.source];
      return source && `${source}:${original.line + 1}:${original.column + 1}`;
    });
  } catch {
    // A map that is cut or no map of version 3.
    return [];
  }
}
