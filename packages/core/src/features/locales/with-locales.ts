import { SsrError } from '../../errors.ts';
import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import { ChosenLocales } from './chosen-locales.ts';
import { LocaleRedirects } from './locale-redirects.ts';
import { type LocalesOptions, resolveLocales } from './locales-options.ts';

/**
 * Chooses the locale of a request to a localized build: by path, host, cookie or Accept-Language. Without this feature,
 * Angular takes it from the path, and redirects the base path by Accept-Language.
 *
 * @example
 * ```ts
 * features: [withLocales({ by: ['path', 'cookie:lang', 'accept-language'] })]
 * ```
 */
export function withLocales(options: LocalesOptions): Feature {
  return perServer({ name: 'locales', isForNode: true }, () => {
    const resolved = resolveLocales(options);
    const { by } = resolved;
    let chosen: ChosenLocales | undefined;
    return {
      locales: (built, onError) => {
        if (built === undefined) onError(new SsrError('NG_SSR_OPTION_INVALID', NO_EFFECT));
        else chosen = new ChosenLocales(built, resolved);
        return chosen;
      },
      install: ({ isTrusted }) => {
        if (chosen === undefined || by === undefined) return {};
        const hasPrefix = isTrusted('x-forwarded-prefix');
        return { substitutes: [new LocaleRedirects(chosen, by, hasPrefix)] };
      },
    };
  });
}

const NO_EFFECT =
  'withLocales() has no effect: this build has one locale. For several, set "localize" in angular.json, and ' +
  'with CommonEngine also allLocales';
