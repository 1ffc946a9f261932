import type { AskedCall, CallResponse, Transport } from '../asked-call.ts';
import { callError } from '../call-errors.ts';
import type { CallRules } from '../rules/call-rules.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 20;
const OF_THE_CONTENT = ['content-encoding', 'content-language', 'content-location', 'content-type'];
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * Follows a redirect of the server's own routes as `fetch` does (Fetch Standard, "HTTP-redirect fetch"). The next call
 * has the rule of its own URL.
 *
 * @throws SsrError `NG_SSR_CALL_FAILED`, and what `perform` throws.
 */
export async function followRedirect(
  call: AskedCall,
  response: CallResponse,
  rules: CallRules,
  perform: Transport,
): Promise<CallResponse> {
  const location = response.headers.get('location');
  if (!REDIRECTS.has(response.status) || location === null) return response;
  if (call.redirect === 'manual') return response;
  if (response.body instanceof ReadableStream) void response.body.cancel().catch(() => {});
  const next = toNext(call, response.status, location, rules);
  if (typeof next === 'string') throw callError('NG_SSR_CALL_FAILED', call, next);
  return { ...(await perform(next)), isRedirected: true };
}

/** @returns why the redirect cannot be followed, if it cannot. */
function toNext(
  call: AskedCall,
  status: number,
  location: string,
  rules: CallRules,
): AskedCall | string {
  const { redirects = 0, url: from, redirect, pageOrigin } = call;
  if (redirect === 'error') return 'was redirected (redirect: "error")';
  if (redirects >= MOST_REDIRECTS) return `was redirected more than ${MOST_REDIRECTS} times`;
  if (!URL.canParse(location, from.href)) return 'was redirected to a malformed URL';
  const url = new URL(location, from);
  url.hash = '';
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp || url.username !== '' || url.password !== '') {
    return 'was redirected to a URL that cannot be called';
  }
  const rule = rules.find(url, pageOrigin);
  const headers = new Headers(call.headers);
  const forwarded = call.forwarded.filter((name) => rule.forward.includes(name));
  for (const name of call.forwarded) if (!forwarded.includes(name)) headers.delete(name);
  if (url.origin !== from.origin) for (const name of CREDENTIALS) headers.delete(name);
  const next = { ...call, url, rule, headers, redirects: redirects + 1 };
  next.forwarded = forwarded.filter((name) => headers.has(name));
  const { method, body } = call;
  const isRead = method === 'GET' || method === 'HEAD';
  if ((status === 303 && !isRead) || (status < 303 && method === 'POST')) {
    for (const name of OF_THE_CONTENT) headers.delete(name);
    return { ...next, method: 'GET', body: null };
  }
  if (status !== 303 && body instanceof ReadableStream) {
    return `was redirected with ${status}, and its content, a stream, cannot be sent again`;
  }
  return next;
}
