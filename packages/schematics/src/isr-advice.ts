import type { ServerFile } from './server-file.ts';

const ISR_IMPORT = /from\s*['"](@rx-angular\/isr|ngx-isr)(?:\/[\w-]+)*['"]/;
const GUIDE = 'https://github.com/ng-ssr/ng-ssr/blob/main/docs/migrating/rx-angular-isr.md';

/** A refusal's message and advice. */
export type IsrAdvice = readonly [message: string, advice: readonly string[]];

/**
 * The way of a server that renders its pages with an ISR library. Neither the pages' middleware nor a server beside
 * it helps: stored pages replace the library.
 *
 * @param overwrite - The command that replaces the server.
 * @returns undefined for other servers.
 */
export function isrAdvice(
  { path, text, origin }: ServerFile,
  overwrite: string,
): IsrAdvice | undefined {
  const library = origin === 'own' ? ISR_IMPORT.exec(text)?.[1] : undefined;
  if (library === undefined) return undefined;
  return [
    `${path} renders its pages with ${library}, which the page cache of ng-ssr replaces: ${overwrite} replaces the file and keeps a backup.`,
    [`For its options and your own routes: ${GUIDE}`],
  ];
}
