import type { Call, CallAnswer } from './call.ts';

/** The reason phrases that a program may give to a Response (RFC 9112 section 4). */
const REASON = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Programs must not change the headers of a response that `fetch` has returned (Fetch Standard, guard "immutable"). */
const IMMUTABLE = Object.fromEntries(
  ['append', 'delete', 'set'].map((name) => [name, { value: refuse }]),
);

function refuse(): never {
  throw new TypeError('immutable');
}

/** The answer to a call as `fetch` returns it. */
export function toResponse(answer: CallAnswer, call: Call): Response {
  const { status, statusText, headers, body, url, isRedirected } = answer;
  const isOther = isRedirected && new URL(url).origin !== new URL(call.url).origin;
  // `fetch` returns any status that a server sends, and a program cannot make a Response with it.
  const isUsual = status >= 200 && status <= 599;
  const isText = REASON.test(statusText);
  const init = { status: isUsual ? status : 500, statusText: isText ? statusText : '', headers };
  // A Response that a program has made has no URL.
  return withMembers(new Response(body, init), {
    url: { value: url },
    type: { value: isOther ? 'cors' : 'basic' },
    ...(isRedirected && { redirected: { value: true } }),
    ...(!isUsual && { status: { value: status }, ok: { value: false } }),
    ...(!isText && { statusText: { value: statusText } }),
  });
}

/** A response whose copies have these members, too. */
function withMembers(response: Response, members: PropertyDescriptorMap): Response {
  Object.defineProperties(response.headers, IMMUTABLE);
  const clone = (): Response => withMembers(Response.prototype.clone.call(response), members);
  return Object.defineProperties(response, { ...members, clone: { value: clone } });
}
