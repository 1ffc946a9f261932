/**
 * The locale of a page in a localized build, which has a folder for each locale; else undefined.
 *
 * @param path - Of the page's file below the browser folder, with `/` in front.
 * @param locales - The folder of each locale; one of them may be the browser folder itself, `''`.
 * @param builds - Folders below it with builds of their own, possibly of locales not in the list.
 */
export function localeOf(
  path: string,
  locales: Readonly<Record<string, string>>,
  builds: readonly string[],
): string | undefined {
  let found: string | undefined;
  for (const [locale, folder] of Object.entries(locales)) {
    if (folder === '') found ??= locale;
    else if (path.startsWith(`/${folder}/`)) return locale;
  }
  return builds.some((folder) => path.startsWith(`${folder}/`)) ? undefined : found;
}
