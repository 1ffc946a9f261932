import type { IncomingMessage } from 'node:http';

/** A Request with the additions of srvx, the server under h3 and Elysia on Node. */
export interface SrvxRequest extends Request {
  readonly runtime?: { readonly node?: { readonly req: IncomingMessage } };
}

const SLASH = 0x2f;
const isDeno = 'Deno' in globalThis;
const remembered = new WeakMap<Request, string>();

/**
 * Remembers a request target that a framework has and Request.url does not show.
 *
 * @param target - As received.
 */
export function rememberTarget(request: Request, target: string | undefined): void {
  if (target !== undefined && target.charCodeAt(0) !== SLASH) remembered.set(request, target);
}

/**
 * The target of a request line that is not in origin-form: `*`, or one in absolute-form, which
 * servers copy into Request.url without checking its host.
 *
 * @param url - Request.url.
 * @param authorityEnd - The index where its authority ends, and path and query begin.
 * @returns undefined for origin-form, and where nothing shows another form.
 */
export function targetWithoutPath(
  request: Request,
  url: string,
  authorityEnd: number,
): string | undefined {
  const received = (request as SrvxRequest).runtime?.node?.req.url;
  if (received !== undefined) return received.charCodeAt(0) === SLASH ? undefined : received;
  if (!isDeno) return remembered.get(request);
  // Deno shows `*` as the path `/*`, and refuses it with other methods.
  if (request.method === 'OPTIONS' && url.slice(authorityEnd) === '/*') return '*';
  // Deno takes the authority from Host unchanged, unless the target has one.
  const host = request.headers.get('host');
  if (host === null) return undefined;
  return isSameHost(url.slice(url.indexOf('://') + 3, authorityEnd), host) ? undefined : url;
}

/** Compares authorities as a Request normalises them: in lower case, without a default port. */
function isSameHost(authority: string, host: string): boolean {
  if (authority === host) return true;
  const [own, other] = [authority, host].map((value) =>
    value.toLowerCase().replace(/:(80|443)?$/, ''),
  );
  return own === other;
}
