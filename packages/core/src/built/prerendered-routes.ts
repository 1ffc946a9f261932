import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SsrError } from '../errors.ts';

/** What the application's server routes declare for one prerendered page. */
export interface PrerenderedRoute {
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/**
 * Reads which pages the build has prerendered and what their routes declare, from the
 * `prerendered-routes.json` that the Angular CLI writes beside the browser folder.
 *
 * @returns routes by path, or undefined when the build has left no such file.
 * @throws SsrError `NG_SSR_INDEX_FAILED` when the file is there but cannot be understood.
 * @see https://angular.dev/guide/ssr#configuring-server-routes
 */
export function readPrerenderedRoutes(
  browserFolder: string,
): ReadonlyMap<string, PrerenderedRoute> | undefined {
  const file = join(browserFolder, '..', 'prerendered-routes.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const { routes } = JSON.parse(text) as {
      routes: Record<string, { headers?: Record<string, string>; status?: number }>;
    };
    return new Map(
      Object.entries(routes).map(([path, { headers = {}, status = 200 }]) => [
        path,
        { headers, status },
      ]),
    );
  } catch (cause) {
    throw new SsrError('NG_SSR_INDEX_FAILED', `${file} is not what Angular CLI writes`, { cause });
  }
}
