import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AllFigures } from '../trace/figures.ts';
import { journeys } from '../trace/journeys.ts';
import { compareFigures, flatten, slowerHits } from './compare-figures.ts';
import { compareTranscripts } from './compare-transcripts.ts';
import type { Figures } from './figures.ts';
import { FILES, type Part } from './parts.ts';
import { formatFigures, formatTranscripts } from './report.ts';

/** What differs between two records. */
export interface Comparison {
  readonly text: string;
  /** False if transcripts differ, or hits make more calls. */
  readonly isAccepted: boolean;
}

/** Compares the parts of two records. */
export function compareRecords(before: string, now: string, parts: readonly Part[]): Comparison {
  const { commit } = readJson<{ readonly commit: string }>(before, FILES.about);
  const comparers: Record<Part, () => Comparison> = {
    trace: () => compareTraces(before, now),
    transcripts: () =>
      compareAllTranscripts(join(before, FILES.transcripts), join(now, FILES.transcripts)),
    figures: () => {
      const differences = compareFigures(
        readJson<Figures>(before, FILES.figures),
        readJson<Figures>(now, FILES.figures),
      );
      return { text: formatFigures(differences), isAccepted: true };
    },
  };
  const compared = parts.map((part) => ({ part, ...comparers[part]() }));
  return {
    text: [
      `compared with commit ${commit}`,
      ...compared.map(({ part, text }) => `\n${part}\n${text}`),
    ].join('\n'),
    isAccepted: compared.every(({ isAccepted }) => isAccepted),
  };
}

function compareTraces(before: string, now: string): Comparison {
  const [earlier, current] = [before, now].map((folder) =>
    flatten(readJson<AllFigures>(folder, FILES.trace)),
  );
  const differences = compareFigures(earlier!, current!);
  const hits = Object.keys(journeys).filter((name) => journeys[name]!.isHit);
  const slower = slowerHits(differences, hits);
  const lines = slower.map(({ name }) => `A hit makes more calls: ${name}`);
  return {
    text: [formatFigures(differences), ...lines].join('\n'),
    isAccepted: slower.length === 0,
  };
}

function compareAllTranscripts(before: string, now: string): Comparison {
  const read = (folder: string, name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const names = [...new Set([...readdirSync(before), ...readdirSync(now)])].sort();
  const compared = names.map((name) => ({
    name,
    ...compareTranscripts(read(before, name), read(now, name)),
  }));
  return {
    text: compared.map((each) => formatTranscripts(each.name, each)).join('\n'),
    isAccepted: compared.every(({ changed }) => changed.length === 0),
  };
}

function readJson<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
}
