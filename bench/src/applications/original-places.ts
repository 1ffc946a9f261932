import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Frame } from './take-profile.ts';

/** Where a function is in the sources of a bundle. */
export interface Place {
  /** As the source map has it, or the frame's own URL if its script has no source map; undefined for unmapped code. */
  readonly source: string | undefined;
  /** Counts from 1. */
  readonly line: number;
  readonly name: string;
}

/** Finds the sources of functions in bundles whose source maps are beside them. */
export class OriginalPlaces {
  readonly #maps = new Map<string, SourceMap | undefined>();

  find(frame: Frame): Place {
    const { url, functionName, lineNumber, columnNumber } = frame;
    const map = this.#mapOf(url);
    if (map === undefined) return { source: url, line: lineNumber + 1, name: functionName };
    const entry = map.findEntry(lineNumber, columnNumber);
    if (!('originalSource' in entry)) return { source: undefined, line: 0, name: functionName };
    const { originalSource, originalLine } = entry;
    // An entry at the function's name, and not at its first parameter.
    const isNamed = entry.generatedColumn + functionName.length === columnNumber;
    const name = (isNamed ? (entry as { name?: string }).name : undefined) ?? functionName;
    return { source: originalSource, line: originalLine + 1, name };
  }

  #mapOf(url: string): SourceMap | undefined {
    if (!this.#maps.has(url)) this.#maps.set(url, readMap(url));
    return this.#maps.get(url);
  }
}

function readMap(url: string): SourceMap | undefined {
  if (!url.startsWith('file:')) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
