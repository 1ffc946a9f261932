import type { Figures } from './figures.ts';

/** A row of docs/options.md, which names its option as an anchor. */
const ROW = /^\| <a id="/gm;

/**
 * How many options there are.
 *
 * @param page - docs/options.md, which is written from the types of the options.
 */
export function optionFigures(page: string): Figures {
  const [, ...sections] = page.split(/^## /m);
  const counts = sections.map((section) => {
    const [title = ''] = section.split('\n');
    return [`options/${title}`, section.match(ROW)?.length ?? 0] as const;
  });
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return { options: all, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}
