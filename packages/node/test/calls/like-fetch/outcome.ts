import type { Api } from './api.ts';
import type { BodyKind, RandomCall } from './random-call.ts';

/** What the caller of `fetch` got, as plain data. */
export type Outcome = Readonly<Record<string, unknown>>;

/** Makes a call and reads its response. */
export async function callAndRead(
  call: RandomCall,
  fetch: typeof globalThis.fetch,
  origin: string,
  id: string,
  api: Api,
): Promise<Outcome> {
  const controller = new AbortController();
  const reason = call.reason === undefined ? [] : [call.reason];
  const abort = (): void => controller.abort(...reason);
  if (call.abort === 'before') abort();
  if (call.abort === 'while') void api.arrived(id).then(abort);
  let request: Request | undefined;
  const outcome: Record<string, unknown> = {};
  let response: Response;
  try {
    const query = encodeURIComponent(JSON.stringify(call.answering));
    const url = `${origin}/api/first?id=${id}&do=${query}${call.suffix}`;
    const [input, init] = await toArguments(call, url, controller.signal);
    if (input instanceof Request) request = input;
    const promise = fetch(input, init);
    outcome['usedAtOnce'] = request?.bodyUsed;
    response = await promise;
  } catch (error) {
    return { ...outcome, ...toError(error), used: request?.bodyUsed };
  }
  Object.assign(outcome, headOf(response, id), { used: request?.bodyUsed });
  const copy = call.isCloned && call.abort === undefined ? response.clone() : undefined;
  if (call.abort === 'content') abort();
  outcome['content'] = await read(response, call.reads);
  if (call.abort === 'after') abort();
  outcome['bodyUsed'] = response.bodyUsed;
  try {
    response.headers.set('x-own', '1');
    outcome['mutable'] = true;
  } catch (error) {
    Object.assign(outcome, { mutable: false, refusal: (error as Error).name });
  }
  if (copy === undefined) return outcome;
  outcome['copy'] = { ...headOf(copy, id), content: await read(copy, 'text') };
  return outcome;
}

function headOf(response: Response, id: string): object {
  const { status, statusText, ok, type, url, redirected, headers, body } = response;
  const list = [...headers].map(([name, value]) => [name, value.replaceAll(id, 'ID')] as const);
  return {
    ...{ status, statusText, ok, type, redirected, headers: list, hasBody: body !== null },
    url: url.replaceAll(id, 'ID'),
    isResponse: response instanceof Response && response.constructor === Response,
    keys: Object.keys(response),
  };
}

async function read(response: Response, how: RandomCall['reads']): Promise<unknown> {
  try {
    switch (how) {
      case 'stream': {
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body ?? []) chunks.push(chunk);
        return Buffer.concat(chunks).toString('latin1');
      }
      case 'blob': {
        const blob = await response.blob();
        return [blob.type, await blob.text()];
      }
      case 'formData':
        return [...(await response.formData())];
      case 'arrayBuffer':
        return Buffer.from(await response.arrayBuffer()).toString('latin1');
      case 'bytes':
        return Buffer.from(await response.bytes()).toString('latin1');
      default:
        return (await response[how]()) as unknown;
    }
  } catch (error) {
    return toError(error);
  }
}

/** A failure of the network is an SsrError in calls, and a TypeError of `fetch` otherwise. */
function toError(error: unknown): object {
  const { name, code, message } = (error ?? {}) as {
    name?: string;
    code?: string;
    message?: string;
  };
  const isNetwork =
    code === 'NG_SSR_CALL_FAILED' ||
    (name === 'TypeError' && (message === 'fetch failed' || message === 'terminated'));
  if (isNetwork) return { error: 'of the network' };
  return { error: error instanceof Error ? `${name}: ${message}` : error };
}

async function toArguments(
  call: RandomCall,
  url: string,
  signal: AbortSignal,
): Promise<[input: string | URL | Request, init: RequestInit | undefined]> {
  const { form, init, body, isUsed } = call;
  const content = toBody(body);
  const members = {
    ...(call.abort !== undefined && { signal }),
    ...init,
    ...(content !== undefined && { body: content }),
  } as RequestInit;
  switch (form) {
    case 'string':
      return [url, members];
    case 'URL':
      return [new URL(url), members];
    case 'Request as init':
      return [url, new Request('http://init.example/', members) as RequestInit];
    default: {
      const request = new Request(url, members);
      if (isUsed) await request.text();
      const { headers, ...rest } = init;
      const own =
        form === 'Request' ? undefined : ({ headers, redirect: rest['redirect'] } as RequestInit);
      return [request, own];
    }
  }
}

function toBody(kind: BodyKind): unknown {
  const bytes = new TextEncoder().encode('content größe');
  switch (kind) {
    case 'none':
      return undefined;
    case 'null':
      return null;
    case 'text':
      return 'content größe \ud800';
    case 'empty':
      return '';
    case 'parameters':
      return new URLSearchParams({ a: 'b c', ä: 'ö' });
    case 'form':
    case 'file': {
      const form = new FormData();
      form.append('a', 'größe');
      if (kind === 'file') form.append('f', new File([bytes], 'name "x".txt', { type: 'text/a' }));
      return form;
    }
    case 'blob':
      return new Blob([bytes]);
    case 'typed blob':
      return new Blob([bytes], { type: 'text/own' });
    case 'bytes':
      return bytes;
    case 'view':
      return new DataView(bytes.buffer, 2, 5);
    case 'buffer':
      return bytes.buffer;
    case 'stream':
      return new Blob([bytes]).stream();
    case 'iterable':
      return (async function* () {
        yield bytes;
        yield bytes;
      })();
    case 'failing stream':
      return new ReadableStream({
        pull: (stream) => stream.error(new Error('the stream of the caller')),
      });
    case 'number':
      return 5;
    case 'object':
      return { a: 1 };
    case 'long':
      return 'ä'.repeat(100_000);
  }
}
