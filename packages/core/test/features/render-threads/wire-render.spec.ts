import { expect, it } from 'vitest';
import { createWholeResponse } from '@ng-ssr/core/adapter';
import { guard, refusedHeaders } from '../../../src/render/guarded-request.ts';
import { renderWhole } from '../../../src/render/render-whole.ts';
import {
  toRendered,
  toRenderedMessage,
  toRenderJob,
  toRenderMessage,
} from '../../../src/features/render-threads/wire-render.ts';

const URL_OF_PAGE = 'https://shop.example/products?page=2';

function jobOf(request: Request) {
  return { request, requestContext: { user: 'alice' }, isShared: false, name: 'GET /products' };
}

it('a job comes through a structured clone with URL, headers, name and context', () => {
  const headers = new Headers({ 'accept-language': 'de' });
  headers.append('x-list', 'a');
  headers.append('x-list', 'b');
  const message = structuredClone(toRenderMessage(7, jobOf(new Request(URL_OF_PAGE, { headers }))));
  expect(message).toMatchObject({ kind: 'render', id: 7 });
  const { request, requestContext, isShared, name } = toRenderJob(message);
  expect([request.method, request.url, name]).toEqual(['GET', URL_OF_PAGE, 'GET /products']);
  expect([...request.headers]).toEqual([...headers]);
  expect(requestContext).toEqual({ user: 'alice' });
  expect(isShared).toBe(true);
});

it('headers that a shared page must not read are refused on the other thread too', () => {
  const guarded = guard(new Request(URL_OF_PAGE, { headers: { 'x-user': 'alice' } }), ['cookie']);
  const { request } = toRenderJob(structuredClone(toRenderMessage(1, jobOf(guarded))));
  expect(refusedHeaders(request)).toEqual(['cookie']);
  expect(request.headers.get('x-user')).toBe('alice');
  expect(() => request.headers.get('Cookie')).toThrow(/reads the request's cookie/);
});

it('a page comes through a transfer with status, every Set-Cookie and its bytes', () => {
  const headers = new Headers({ 'content-type': 'text/html' });
  headers.append('set-cookie', 'a=1');
  headers.append('set-cookie', 'b=2');
  const text = Buffer.from('<p>page</p>');
  const body = Buffer.from(new ArrayBuffer(text.length));
  text.copy(body);
  const message = toRenderedMessage(3, { response: { status: 404, headers }, body });
  const page = toRendered(structuredClone(message, { transfer: [message.body] }));
  expect(body).toHaveLength(0);
  expect(page.response.status).toBe(404);
  expect([...page.response.headers]).toEqual([...headers]);
  expect(page.response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(text.equals(page.body)).toBe(true);
  expect(page.hasErrors).toBe(false);
});

/** What `engine` renders, as it arrives from a thread, beside the memory it was rendered into. */
async function sendPage(response: Response): Promise<{ sent: Uint8Array; arrived: Uint8Array }> {
  const job = jobOf(new Request(URL_OF_PAGE));
  const { signal } = new AbortController();
  const rendered = await renderWhole({ engine: () => () => response }, job, signal);
  const { body: sent } = rendered!;
  const message = toRenderedMessage(1, rendered!);
  return { sent, arrived: toRendered(structuredClone(message, { transfer: [message.body] })).body };
}

it('the bytes of a page that an engine hands over move to the main thread, without a copy', async () => {
  const content = new Uint8Array(new ArrayBuffer(90_000)).fill(65);
  const { arrived } = await sendPage(createWholeResponse(content, {}));
  expect(content.buffer.byteLength).toBe(0);
  expect(arrived.buffer.byteLength).toBe(90_000);
  expect(String(arrived)).toBe('A'.repeat(90_000));
});

it("a page that is streamed moves too; the memory of its chunks stays the engine's", async () => {
  const chunks = [Buffer.from('<p>'), Buffer.from('page</p>')];
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const { sent, arrived } = await sendPage(new Response(body));
  expect(sent.buffer.byteLength).toBe(0);
  expect(arrived.buffer.byteLength).toBe(arrived.byteLength);
  expect(String(arrived)).toBe('<p>page</p>');
  expect(String(Buffer.concat(chunks))).toBe('<p>page</p>');
});

it('a page in a part of a larger memory arrives alone', async () => {
  const content = new Uint8Array(new ArrayBuffer(1000)).fill(65).subarray(10, 20);
  const { sent, arrived } = await sendPage(createWholeResponse(content, {}));
  expect(String(arrived)).toBe('A'.repeat(10));
  expect(arrived.buffer.byteLength).toBe(10);
  expect(sent.buffer.byteLength).toBe(1000);
});

it('a page with unhandled errors stays one', () => {
  const response = { status: 200, headers: new Headers() };
  const body = Buffer.from(new ArrayBuffer(0));
  const message = toRenderedMessage(1, { response, body, hasErrors: true });
  expect(toRendered(structuredClone(message)).hasErrors).toBe(true);
});
