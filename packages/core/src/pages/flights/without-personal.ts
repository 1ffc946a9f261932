import type { ResponseHead } from '../../render/sendable-response.ts';

/** Response headers for one client, left out where other clients get the response too. */
const PERSONAL = ['set-cookie', 'set-cookie2', 'authentication-info', 'proxy-authentication-info'];

/** The head of a response without them. */
export function withoutPersonal({ status, headers }: ResponseHead): ResponseHead {
  const kept = new Headers(headers);
  for (const name of PERSONAL) kept.delete(name);
  return { status, headers: kept };
}
