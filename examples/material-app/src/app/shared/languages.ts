/** The languages the shop greets in, the first of them for everybody else. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * The language that an Accept-Language (RFC 9110 section 12.5.4) likes best among ours: `de-AT` is
 * content with `de`, and what has a weight of 0 is refused.
 */
export function preferredLanguage(acceptLanguage: string): Language {
  const ranges = acceptLanguage
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { primary: tag.split('-')[0], weight: weight ? Number(weight.slice(2)) : 1 };
    })
    .sort((a, b) => b.weight - a.weight);
  const refused = ranges.filter(({ weight }) => weight === 0).map(({ primary }) => primary);
  const others = LANGUAGES.find((language) => !refused.includes(language)) ?? LANGUAGES[0];

  for (const { primary, weight } of ranges) {
    if (!(weight > 0)) continue;
    if (primary === '*') return others;
    const language = LANGUAGES.find((ours) => ours === primary);
    if (language) return language;
  }
  return others;
}
