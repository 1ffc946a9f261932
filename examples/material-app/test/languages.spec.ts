/** The greeting's own reading of Accept-Language, for servers that hand it on as it came. */
import { expect, test } from 'vitest';
import { preferredLanguage } from '../src/app/shared/languages.ts';

test.each([
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['es, fr;q=0.3, de;q=0.7', 'de'],
  ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['ja, ko', 'en'],
  ['en;q=0, *', 'de'],
  ['*;q=0.5, fr', 'fr'],
  ['fr;q=high, ;;, de', 'de'],
])('"%s" is greeted in %s', (acceptLanguage, language) => {
  expect(preferredLanguage(acceptLanguage)).toBe(language);
});
