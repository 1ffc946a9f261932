import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SsrError } from '../errors.ts';
import { CONNECTION_HEADERS } from '../http/header-list.ts';
import { isHeaderName, isHeaderValue } from '../http/header-syntax.ts';
import { isFinalStatus } from '../http/status.ts';

const NAME = 'prerendered-routes.json';

/** The headers and status that a server route declares for one prerendered page. */
export interface PrerenderedRoute {
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/**
 * Reads the routes of prerendered pages from the `prerendered-routes.json` that the Angular CLI writes
 * beside the browser folder.
 *
 * @returns routes by path, or undefined if there is no such file.
 * @throws SsrError `NG_SSR_INDEX_FAILED` if the file exists but is invalid.
 * @see https://angular.dev/guide/ssr#configuring-server-routes
 */
export function readPrerenderedRoutes(
  browserFolder: string,
): ReadonlyMap<string, PrerenderedRoute> | undefined {
  const above = dirname(browserFolder);
  // The folder of a locale is one level deeper.
  const file = join(basename(above) === 'browser' ? dirname(above) : above, NAME);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const { routes } = JSON.parse(text) as { routes: Record<string, DeclaredRoute> };
    return new Map(Object.entries(routes).map(([path, route]) => [path, read(path, route)]));
  } catch (cause) {
    const message = `${file} does not have the format that Angular CLI writes: ${String(cause)}`;
    throw new SsrError('NG_SSR_INDEX_FAILED', message, { cause });
  }
}

interface DeclaredRoute {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly status?: unknown;
}

/** Headers that follow from the bytes: a route cannot declare them. */
const HEADERS_OF_BYTES = new Set(['content-length', 'content-encoding', 'etag']);

/** @throws Error for a status or header that cannot be sent. */
function read(path: string, { headers = {}, status = 200 }: DeclaredRoute): PrerenderedRoute {
  if (!isFinalStatus(status))
    throw new Error(`${path} has the status ${String(status)}; allowed: 200 to 599`);
  if (typeof headers !== 'object') throw new Error(`the headers of ${path} are not an object`);
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isSendable = isHeaderName(name) && typeof value === 'string' && isHeaderValue(value);
    if (!isSendable)
      throw new Error(
        `${path} has a header that cannot be sent: ${JSON.stringify({ [name]: value })}`,
      );
    const header = name.toLowerCase();
    if (!HEADERS_OF_BYTES.has(header) && !CONNECTION_HEADERS.has(header)) sent[name] = value;
  }
  return { headers: sent, status };
}
