import type { Likeness } from '../measure/page-likeness.ts';

/**
 * Pages that are the same byte for byte, but for numbers that differ between two renders of one side: ids that
 * count up.
 *
 * @param first - A page.
 * @param second - The same, by the same side, from another render.
 */
export function likenessTo(first: string, second: string): Likeness {
  const numbers = numbersOf(first);
  const others = numbersOf(second);
  const counted = new Set([...numbers.keys()].filter((at) => numbers[at] !== others[at]));
  return (page, other) => {
    const texts = page.split(NUMBER);
    const found = other.split(NUMBER);
    for (const [at, text] of texts.entries()) {
      // Numbers are the odd parts.
      if (text === found[at] || (at % 2 === 1 && counted.has(at >> 1) && found[at])) continue;
      const around = (parts: readonly string[]): string =>
        JSON.stringify(
          parts
            .slice(Math.max(0, at - 2), at + 3)
            .join('')
            .slice(0, 200),
        );
      return `differs: ${around(texts)} and ${around(found)}`;
    }
    return texts.length === found.length ? undefined : 'ends earlier';
  };
}

const NUMBER = /(\d+)/;

function numbersOf(page: string): readonly string[] {
  return page.split(NUMBER).filter((_, at) => at % 2 === 1);
}
