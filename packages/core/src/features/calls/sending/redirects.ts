import { trimOws } from '../../../http/optional-whitespace.ts';
import { mergeProvenance } from '../../../render/provenance.ts';
import type { CallRequest, CallResponse, SentResponse, UntaggedCall } from '../call-request.ts';
import { callError } from '../call-errors.ts';
import type { ResolvedCallRules } from '../rules/call-rules.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 20;
const OF_THE_CONTENT = [
  ...['content-encoding', 'content-language', 'content-location', 'content-type'],
  'content-length',
];
/** Headers that are for one origin. */
const OF_THE_ORIGIN = ['authorization', 'proxy-authorization', 'cookie', 'host'];

/** Whether a response is a redirect that is followed, or for which the call fails. */
export function isFollowed(
  call: CallRequest,
  { status, headers }: Pick<SentResponse, 'status' | 'headers'>,
): boolean {
  if (!REDIRECTS.has(status) || call.redirect === 'manual') return false;
  return call.redirect === 'error' || headers.has('location');
}

/**
 * Follows a redirect as `fetch` does (Fetch Standard, "HTTP fetch" and "HTTP-redirect fetch"). The next call has the rule of
 * its own URL, and what that rule does not forward is left out.
 *
 * @param perform - Makes the next call.
 * @throws SsrError `NG_SSR_CALL_FAILED`, and what `perform` throws.
 */
export async function followRedirect(
  call: CallRequest,
  response: CallResponse,
  rules: ResolvedCallRules,
  perform: (next: UntaggedCall) => Promise<CallResponse>,
): Promise<CallResponse> {
  if (!isFollowed(call, response)) return response;
  if (response.body instanceof ReadableStream) void response.body.cancel().catch(() => {});
  const next = toNext(call, response, rules);
  if (typeof next === 'string') {
    throw callError('NG_SSR_CALL_FAILED', call, next, { cause: new Error(next) });
  }
  const answer = await perform(next);
  const provenance = mergeProvenance([response.provenance, answer.provenance]);
  return { ...answer, isRedirected: true, provenance };
}

/** @returns why the redirect cannot be followed, if it cannot. */
function toNext(
  call: CallRequest,
  { status, headers: received }: CallResponse,
  rules: ResolvedCallRules,
): UntaggedCall | string {
  const { redirects = 0, url: from, redirect, pageOrigin, method, body, mode } = call;
  if (redirect === 'error') return 'was redirected (redirect: "error")';
  const url = toUrl(received.get('location')!, from, mode);
  if (typeof url === 'string') return url;
  if (redirects >= MOST_REDIRECTS) return `was redirected more than ${MOST_REDIRECTS} times`;
  if (mode === 'same-origin' && url.origin !== from.origin) {
    return 'was redirected to another origin (mode: "same-origin")';
  }
  if (status !== 303 && body instanceof ReadableStream) {
    return `was redirected with ${status}, and its body, a stream, cannot be sent again`;
  }
  const rule = rules.find(url, pageOrigin);
  const headers = new Headers(call.headers);
  const forwarded = call.forwarded.filter((name) => rule.forward.includes(name));
  for (const name of call.forwarded) if (!forwarded.includes(name)) headers.delete(name);
  if (url.origin !== from.origin) for (const name of OF_THE_ORIGIN) headers.delete(name);
  const referrerPolicy = toPolicy(received.get('referrer-policy')) ?? call.referrerPolicy;
  const next = { ...call, url, rule, headers, referrerPolicy, redirects: redirects + 1 };
  next.forwarded = forwarded.filter((name) => headers.has(name));
  const isRead = method === 'GET' || method === 'HEAD';
  if ((status === 303 && !isRead) || (status < 303 && method === 'POST')) {
    for (const name of OF_THE_CONTENT) headers.delete(name);
    return { ...next, method: 'GET', body: null };
  }
  return next;
}

const POLICIES: ReadonlySet<string> = new Set<Exclude<Request['referrerPolicy'], ''>>([
  ...(['no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin'] as const),
  ...(['strict-origin', 'origin-when-cross-origin', 'strict-origin-when-cross-origin'] as const),
  'unsafe-url',
]);

/** The last policy of a Referrer-Policy that is known (Referrer Policy section 8.1). */
function toPolicy(header: string | null): Request['referrerPolicy'] | undefined {
  const known = (header ?? '')
    .split(',')
    .map(trimOws)
    .filter((policy) => POLICIES.has(policy));
  return known.at(-1) as Request['referrerPolicy'] | undefined;
}

/** The URL of a Location, without its fragment and its credentials, or why it cannot be called. */
function toUrl(location: string, from: URL, mode: CallRequest['mode']): URL | string {
  // Servers write paths in UTF-8, whose bytes are characters of Latin-1 in a header; browsers decode them too.
  const written = /^[\0-\xff]*[\x80-\xff]/.test(location)
    ? Buffer.from(location, 'latin1').toString()
    : location;
  if (!URL.canParse(written, from.href)) return 'was redirected to a malformed URL';
  const url = new URL(written, from);
  url.hash = '';
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const hasCredentials = url.username !== '' || url.password !== '';
  if (!isHttp || (hasCredentials && mode === 'cors')) {
    return 'was redirected to a URL that cannot be called';
  }
  url.username = '';
  url.password = '';
  return url;
}
