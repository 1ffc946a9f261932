import { CASE } from './format-transcript.ts';

/** A case whose requests or responses differ. */
export interface CaseDifference {
  readonly name: string;
  /** The lines from the first to the last difference; empty where the case is missing. */
  readonly before: readonly string[];
  readonly now: readonly string[];
}

/** How the transcript of one run differs from an earlier one. */
export interface TranscriptDifference {
  /** Cases that differ, and those that are missing now. */
  readonly changed: readonly CaseDifference[];
  /** The names of new cases. */
  readonly added: readonly string[];
}

/** Compares two transcripts case by case. */
export function compareTranscripts(before: string, now: string): TranscriptDifference {
  const earlier = casesOf(before);
  const current = casesOf(now);
  const changed = [...earlier].flatMap(([name, lines]) => {
    const difference = differenceOf(lines, current.get(name) ?? []);
    return difference === undefined ? [] : [{ name, ...difference }];
  });
  return { changed, added: [...current.keys()].filter((name) => !earlier.has(name)) };
}

function casesOf(transcript: string): Map<string, readonly string[]> {
  const cases = transcript.split(new RegExp(`^${CASE}`, 'm')).slice(1);
  return new Map(
    cases.map((text) => {
      const [name = '', ...lines] = text.trimEnd().split('\n');
      return [name, lines];
    }),
  );
}

/** What is left without equal lines at the beginning and at the end. */
function differenceOf(
  before: readonly string[],
  now: readonly string[],
): Omit<CaseDifference, 'name'> | undefined {
  const shorter = Math.min(before.length, now.length);
  let first = 0;
  while (first < shorter && before[first] === now[first]) first++;
  if (first === before.length && first === now.length) return undefined;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last) === now.at(-1 - last)) last++;
  return {
    before: before.slice(first, before.length - last),
    now: now.slice(first, now.length - last),
  };
}
