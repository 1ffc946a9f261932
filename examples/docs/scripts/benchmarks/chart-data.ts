import type { Bar, Chart, Machine } from '../../src/app/benchmarks/chart.ts';

/** The machines without bars, for the page to begin with. */
export function toHeads(machines: readonly Machine<Chart>[]): readonly Machine[] {
  return machines.map((machine) => ({
    ...machine,
    questions: machine.questions.map((question) => ({
      ...question,
      charts: question.charts.map(({ id, title, unit, isLessBetter }) => ({
        id,
        title,
        unit,
        isLessBetter,
      })),
    })),
  }));
}

/** The bars of all charts, by machine, scenario and chart. */
export function toBars(
  machines: readonly Machine<Chart>[],
): Readonly<Record<string, readonly Bar[]>> {
  const entries = machines.flatMap(({ name, questions }) =>
    questions.flatMap(({ id, charts }) =>
      charts.map((chart) => [`${name} ${id} ${chart.id}`, chart.bars] as const),
    ),
  );
  return Object.fromEntries(entries);
}

/** What both pages with charts begin with: a page as a browser asks for it. */
export function findShown(machines: readonly Machine<Chart>[]): Chart {
  const question = machines[0]!.questions.find(({ id }) => id === 'browser')!;
  return question.charts.find(({ id }) => id === 'page/cpuUs')!;
}
