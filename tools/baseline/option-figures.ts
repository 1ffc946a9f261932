import type { Figures } from './figures.ts';

/** The heading of an option in docs/options.md. */
const OPTION = /^#{3,4} .*`$/gm;

/**
 * How many options there are.
 *
 * @param page - docs/options.md, which is written from the types of the options.
 */
export function optionFigures(page: string): Figures {
  const [, ...sections] = page.split(/^## /m);
  const counts = sections.map((section) => {
    const [title = ''] = section.split('\n');
    return [`options/${title}`, section.match(OPTION)?.length ?? 0] as const;
  });
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return { options: all, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}
