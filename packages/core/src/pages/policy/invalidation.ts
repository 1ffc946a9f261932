/** The parts of a route's answer that decide which stored pages it invalidates. */
export interface RouteAnswer {
  readonly status: number;
  /** A header of the response, by its name in lower case. */
  header(name: string): string | undefined;
}

export { isUnsafe } from '../../http/unsafe-method.ts';

/**
 * The targets whose stored pages an answer to an unsafe request invalidates (RFC 9111 section 4.4):
 * for a 2xx or 3xx, the request's own, that of Content-Location and, for 201, that of Location, which
 * names the created resource. The Location of a redirect is only where the client goes next: through a
 * log-in form that leads back to any page, every client could invalidate that page.
 *
 * @param origin - Of the request; URLs of other origins are ignored.
 * @param target - Well-formed, in origin form.
 */
export function invalidatedTargets(
  origin: string,
  target: string,
  { status, header }: RouteAnswer,
): readonly string[] {
  if (status < 200 || status >= 400) return [];
  const addresses = [header('content-location'), status === 201 ? header('location') : undefined];
  const others = addresses.flatMap((address) => targetWithin(origin, target, address));
  return [...new Set([target, ...others])];
}

function targetWithin(origin: string, target: string, address: string | undefined): string[] {
  const base = origin + target;
  if (address === undefined || !URL.canParse(address, base)) return [];
  const url = new URL(address, base);
  return url.origin === new URL(base).origin ? [url.pathname] : [];
}
