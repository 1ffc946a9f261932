import type { CallRules } from '@ng-ssr/core';

/** The rules of the cases about calls. */
export const CALLS: CallRules = {
  '/**': { inProcess: true, forward: ['cookie', 'x-fixture'] },
  '/calls/**': { inProcess: true },
  '/api/missing': { inProcess: true, retries: 1 },
};

/** A page that makes calls: it returns what its content states as JSON. */
type CallingPage = (request: Request) => Promise<unknown>;

/** Names of headers whose values the pages state. */
const SHOWN = ['x-request-id', 'vary', 'location'];

async function describe(response: Response): Promise<unknown> {
  const { status, redirected, url, headers } = response;
  const shown = SHOWN.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]);
  return {
    ...{ status, redirected, path: url.replace(/^https?:\/\/[^/]+/, '') },
    ...{ headers: shown, cookies: headers.getSetCookie(), content: await response.text() },
  };
}

async function failureOf(call: Promise<Response>): Promise<unknown> {
  try {
    return (await call).status;
  } catch (error) {
    const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
    return { error: typeof code === 'string' ? code : name };
  }
}

/** Content that arrives in parts. */
function inParts(...parts: readonly string[]): ReadableStream<Uint8Array> {
  const left = parts.map((part) => new TextEncoder().encode(part));
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
}

const PAGES: Readonly<Record<string, CallingPage>> = {
  '/calls/route': async () =>
    describe(await fetch('/api/time?zone=utc', { credentials: 'include' })),
  '/calls/relative': async () => describe(await fetch('api/missing')),
  '/calls/absolute': async ({ url }) => describe(await fetch(new URL('/api/missing', url))),
  '/calls/echo': async () =>
    describe(await fetch('/api/echo', { method: 'POST', body: 'ä'.repeat(50_000) })),
  '/calls/stream': async () => {
    const body = inParts('one,', '', 'two,', 'three');
    const init = { method: 'POST', body, duplex: 'half' };
    return describe(await fetch('/api/echo', init as RequestInit));
  },
  '/calls/form': async () => {
    const response = await fetch('/form', {
      method: 'POST',
      body: new URLSearchParams({ a: '1' }),
    });
    return describe(response);
  },
  '/calls/head': async () => describe(await fetch('/api/time', { method: 'HEAD' })),
  '/calls/page': async () =>
    describe(await fetch('/echo', { credentials: 'include', headers: { 'x-own': '1' } })),
  '/calls/silent': async () => describe(await fetch('/echo', { credentials: 'same-origin' })),
  '/calls/nothing': async () => describe(await fetch('/api/nothing')),
  '/calls/file': async () => describe(await fetch('/robots.txt')),
  '/calls/redirect': async () => describe(await fetch('/old')),
  '/calls/manual': async () => describe(await fetch('/old', { redirect: 'manual' })),
  '/calls/error': async () => failureOf(fetch('/old', { redirect: 'error' })),
  '/calls/empty': async () => describe(await fetch('/empty')),
  '/calls/boom': async () => failureOf(fetch('/boom')),
  '/calls/abort': async () => {
    const controller = new AbortController();
    const failure = failureOf(fetch('/slow', { signal: controller.signal }));
    setTimeout(() => controller.abort(), 10);
    return failure;
  },
  '/calls/loop': async () => failureOf(fetch('/calls/loop')),
  '/calls/loop/first': async () => describe(await fetch('/calls/loop/second')),
  '/calls/loop/second': async () => failureOf(fetch('/calls/loop/first')),
};

/**
 * The page of a path below `/calls`, which makes calls while it is rendered: in the thread that renders it. Undefined
 * for other paths.
 */
export function callingStubPage(request: Request): Promise<Response> | undefined {
  const page = PAGES[new URL(request.url).pathname];
  return page?.(request).then((made) => Response.json(made));
}
