/** The effects of the fixture's earlier middleware on a response. */
export interface FixtureEffect {
  /** Headers to set before `next`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A status to set before `next`, or to answer with. */
  readonly status?: number;
  /** When present: answer with it and do not call `next`. */
  readonly body?: string;
}

/**
 * The effects that an adapter's earlier middleware must have for a request's `x-fixture` header: the
 * framework-free half of {@link fixtureMiddleware}, for frameworks that need their own bridge.
 *
 * @param value - The value of `x-fixture`.
 */
export function fixtureEffect(value: string | undefined): FixtureEffect {
  switch (value) {
    case 'on':
      return {
        headers: [
          ['X-Request-Id', 'fixture-1'],
          ['Vary', 'Origin'],
          ['Set-Cookie', 'seen=1'],
          ['Content-Security-Policy', "default-src 'self'"],
        ],
      };
    case 'cached':
      return {
        headers: [
          ['Cache-Control', 'public, max-age=600'],
          ['CDN-Cache-Control', 'max-age=600'],
          ['Surrogate-Control', 'max-age=600'],
          ['Surrogate-Key', 'everything'],
          ['Cache-Tag', 'everything'],
          ['X-Accel-Expires', '600'],
          ['Pragma', 'cache'],
          ['Expires', 'Fri, 01 Jan 2100 00:00:00 GMT'],
          ['Last-Modified', 'Thu, 01 Jan 2015 00:00:00 GMT'],
          ['ETag', '"fixture"'],
          ['Accept-Ranges', 'bytes'],
          ['Vary', 'Origin'],
          ['Set-Cookie', 'seen=1'],
        ],
      };
    case 'no-store':
      return { headers: [['Cache-Control', 'public, no-store']] };
    case 'deny':
      return { headers: [], status: 401, body: 'denied' };
    case 'unavailable':
      return { headers: [], status: 503 };
    default:
      return { headers: [] };
  }
}

/** The user's routes that every server under test registers, for routers that add them one by one. */
export const FIXTURE_ROUTES = [
  ['GET', '/api/time'],
  ['POST', '/api/echo'],
  ['GET', '/api/missing'],
  ['POST', '/form'],
] as const;

/** The answer to POST `/form`; GET `/form` is a page of the engine. */
export const FORM_ANSWER = 'taken';

/** The answer of `/api/missing`, with status 404: a framework's deliberate 404, which must be kept. */
export const DELIBERATE_404 = 'no such thing';
