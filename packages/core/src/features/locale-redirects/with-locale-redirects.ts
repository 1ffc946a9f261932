import type { OwnFeature } from '../../path/own-feature.ts';
import type { LocaleSource } from '../../locales/locale-options.ts';
import { LocaleRedirects } from './locale-redirects.ts';

/** Redirects paths without a locale to those of the locale that a request prefers. */
export function withLocaleRedirects(by: readonly LocaleSource[]): OwnFeature {
  return {
    name: 'locale-redirects',
    install: ({ locales, isTrusted }) =>
      locales === undefined ? {} : { substitutes: [new LocaleRedirects(locales, by, isTrusted)] },
  };
}
