import type { AllFigures } from '../trace/figures.ts';
import { HEAP_FIGURE } from './heap-figures.ts';
import type { Figures } from './figures.ts';

/** A number that differs; undefined where there is none. */
export interface FigureDifference {
  readonly name: string;
  readonly before: number | undefined;
  readonly now: number | undefined;
}

/** The part by which a figure may differ between two runs of the same code. */
const TOLERANCES: Readonly<Record<string, number>> = { [HEAP_FIGURE]: 0.02 };

/** The figures that differ, in the order of the record of now. */
export function compareFigures(before: Figures, now: Figures): readonly FigureDifference[] {
  const names = new Set([...Object.keys(now), ...Object.keys(before)]);
  return [...names]
    .map((name) => ({ name, before: before[name], now: now[name] }))
    .filter((each) => isDifferent(each));
}

function isDifferent({ name, before, now }: FigureDifference): boolean {
  if (before === undefined || now === undefined) return true;
  return Math.abs(now - before) > before * (TOLERANCES[name] ?? 0);
}

/** The figures of all journeys, as `hit/node/calls`. */
export function flatten(traces: AllFigures): Figures {
  const figures: Record<string, number> = {};
  for (const [journey, byAdapter] of Object.entries(traces)) {
    for (const [adapter, each] of Object.entries(byAdapter)) {
      for (const [name, value] of Object.entries(each)) {
        figures[`${journey}/${adapter}/${name}`] = value as number;
      }
    }
  }
  return figures;
}

/**
 * The hits that make more calls than before.
 *
 * @param hits - The names of the journeys that are hits.
 */
export function slowerHits(
  differences: readonly FigureDifference[],
  hits: readonly string[],
): readonly FigureDifference[] {
  return differences.filter(({ name, before, now }) => {
    const [journey = '', , figure] = name.split('/');
    const isCalls = figure === 'calls' && hits.includes(journey);
    return isCalls && before !== undefined && now !== undefined && now > before;
  });
}
