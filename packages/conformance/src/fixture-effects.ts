/** What the fixture's earlier middleware does to a response. */
export interface FixtureEffect {
  /** Fields to set before going on. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A status to set before going on, or to answer with. */
  readonly status?: number;
  /** When present: answer with it and do not go on. */
  readonly body?: string;
}

/**
 * What an adapter's earlier middleware must do for a request's `x-fixture` field: the framework-free
 * half of {@link fixtureMiddleware}, for frameworks that need a bridge of their own.
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
    case 'deny':
      return { headers: [], status: 401, body: 'denied' };
    case 'unavailable':
      return { headers: [], status: 503 };
    default:
      return { headers: [] };
  }
}

/** The user's routes that every server under test registers, for routers that want them one by one. */
export const FIXTURE_ROUTES = [
  ['GET', '/api/time'],
  ['POST', '/api/echo'],
  ['GET', '/api/missing'],
  ['POST', '/form'],
] as const;

/** What POST `/form` answers; GET `/form` is a page of the engine's. */
export const FORM_ANSWER = 'taken';

/** What `/api/missing` answers with status 404: a framework's deliberate 404, to be left alone. */
export const DELIBERATE_404 = 'no such thing';
