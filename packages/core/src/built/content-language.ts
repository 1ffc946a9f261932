/**
 * The locale of a page of a localized build, where each locale has a folder of its own, or undefined.
 *
 * @param path - Of the page's file below the browser folder, with `/` in front.
 * @param locales - The folder of each locale; one of them may be the browser folder itself, `''`.
 */
export function localeOf(
  path: string,
  locales: Readonly<Record<string, string>>,
): string | undefined {
  let found: string | undefined;
  for (const [locale, folder] of Object.entries(locales)) {
    if (folder === '') found ??= locale;
    else if (path.startsWith(`/${folder}/`)) return locale;
  }
  return found;
}
