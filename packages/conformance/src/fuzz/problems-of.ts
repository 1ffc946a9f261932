import { FAILING_ROUTES, languageLine, routeOf } from './echo-engine.ts';
import { type HostileRequest, TOKEN } from './hostile-requests.ts';

/** An answer to a {@link HostileRequest}, from a handler or a connection. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The content; null where there is none. */
  readonly body: Uint8Array | null;
}

/** The faults of an answer; empty for none. */
export function problemsOf(request: HostileRequest, answer: FuzzAnswer): string[] {
  const { method, target, token } = request;
  const { status, headers, body } = answer;
  const problems: string[] = [];
  const path = target.split('?')[0]!;
  const header = (name: string): string | undefined =>
    headers.find(([other]) => other.toLowerCase() === name)?.[1];
  const text = body === null ? '' : Buffer.from(body).toString('latin1');

  const isRefusedPrefetch =
    status === 503 &&
    request.headers.some(([name]) => name === 'sec-purpose') &&
    header('cache-status') === 'ng-ssr; detail=NG_SSR_PREFETCH_REFUSED';
  const mayFail = isRefusedPrefetch || FAILING_ROUTES.includes(routeOf(path));
  if (status >= 500 && !mayFail) problems.push(`status ${status}`);
  if (status < 200 || status > 599) problems.push(`status ${status}`);

  const length = header('content-length');
  const hasContent = method !== 'HEAD' && status !== 204 && status !== 304;
  if (hasContent && length !== undefined && Number(length) !== (body?.byteLength ?? 0)) {
    problems.push(`Content-Length ${length} for ${body?.byteLength ?? 0} bytes`);
  }
  if (!hasContent && body !== null && body.byteLength > 0)
    problems.push('content in an answer that must have none');

  const said = [text, ...headers.map(([, value]) => value)].join('\n');
  const foreign = [...said.matchAll(TOKEN)].find(([found]) => found !== token);
  if (foreign) problems.push(`the token ${foreign[0]} of another request`);

  const isEncoded = header('content-encoding') !== undefined;
  const isWhole = status === 200 && hasContent && !isEncoded;
  if (isWhole && routeOf(path) === '/vary' && text.includes('language=')) {
    const language = request.headers.find(([name]) => name === 'accept-language')?.[1] ?? '';
    const expected = Buffer.from(languageLine(trimWhitespace(language))).toString('latin1');
    if (!text.includes(expected)) problems.push(`not the page for ${expected}`);
  }
  const cacheStatus = header('cache-status') ?? '';
  const isHit = cacheStatus.includes('; hit');
  if ((isHit || cacheStatus.includes('; stored')) && text.includes(token)) {
    problems.push('a stored page that has seen a token');
  }
  if (isHit && routeOf(path) === '/account' && text.includes('/account')) {
    problems.push('a page that must not be stored comes from the store');
  }
  for (const [name, value] of headers) {
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
      problems.push(`the header ${name} cannot be sent`);
  }
  return problems;
}

/** Trims HTTP's optional whitespace only (RFC 9110 section 5.6.3). */
function trimWhitespace(value: string): string {
  return value.replace(/^[ \t]+|[ \t]+$/g, '');
}
