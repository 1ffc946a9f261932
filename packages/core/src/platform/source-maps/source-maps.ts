import { readFileSync, statSync } from 'node:fs';

/** A source map, without the contents of the sources. */
export interface SourceMapText {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** Larger maps are not read: that would hold requests up. */
const MOST_MAP_BYTES = 32 * 1024 * 1024;
/** Of the texts that are kept. */
const MOST_KEPT_CHARACTERS = 16 * 1024 * 1024;

const kept = new Map<string, SourceMapText | undefined>();
let keptCharacters = 0;

/** The source map beside a bundle (`server.mjs.map`); undefined if there is none that can be used. */
export function sourceMapOf(bundle: string): SourceMapText | undefined {
  if (kept.has(bundle)) return kept.get(bundle);
  const map = readMap(`${bundle}.map`);
  const characters = map === undefined ? 0 : map.mappings.length;
  if (keptCharacters + characters > MOST_KEPT_CHARACTERS) {
    kept.clear();
    keptCharacters = 0;
  }
  kept.set(bundle, map);
  keptCharacters += characters;
  return map;
}

function readMap(file: string): SourceMapText | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.size > MOST_MAP_BYTES) return undefined;
    const { sources, mappings, sourceRoot = '' } = JSON.parse(readFileSync(file, 'utf8')) as Map3;
    if (typeof mappings !== 'string' || !Array.isArray(sources)) return undefined;
    return { sources: sources.map((source) => `${sourceRoot}${source ?? '?'}`), mappings };
  } catch {
    return undefined;
  }
}

interface Map3 {
  readonly sources?: readonly (string | null)[];
  readonly mappings?: string;
  readonly sourceRoot?: string;
}
