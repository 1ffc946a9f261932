import { join } from 'node:path';
import { readBaseHref } from './base-href.ts';
import { BuiltLocales } from './built-locales.ts';

/**
 * Reads what the documents of each locale have as their base href.
 *
 * @param folders - The folder of each locale, as the engine says.
 * @returns undefined for a build that is not localized, or has one locale alone.
 */
export function readBuiltLocales(
  browserFolder: string,
  folders: Readonly<Record<string, string>>,
): BuiltLocales | undefined {
  const entries = Object.entries(folders);
  if (entries.every(([, folder]) => folder === '')) return undefined;
  return new BuiltLocales(
    entries.map(([locale, folder]) => {
      const ofFolder = folder === '' ? '/' : `/${folder}/`;
      const baseHref = readBaseHref(join(browserFolder, folder), ofFolder);
      return { locale, folder, baseHref, hasHosts: false };
    }),
  );
}
