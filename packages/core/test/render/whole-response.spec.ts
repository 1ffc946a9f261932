import { describe, expect, it } from 'vitest';
import { createWholeResponse, SsrHandler } from '@ng-ssr/core/adapter';
import { plainExchange } from '../plain-exchange.ts';

const content = (): Uint8Array<ArrayBuffer> => new TextEncoder().encode('<p>caf\u00e9</p>');
const init = { status: 203, headers: { 'content-type': 'text/html' } };

function handlerOf(change: (response: Response) => Response | Promise<Response>): SsrHandler {
  return new SsrHandler({
    engine: () => Promise.resolve(change(createWholeResponse(content(), init))),
    allowedHosts: ['localhost'],
  });
}

describe('a whole response', () => {
  it('is read as any other', async () => {
    const response = createWholeResponse(content(), init);
    expect(response.status).toBe(203);
    const copy = response.clone();
    expect(await response.text()).toBe('<p>caf\u00e9</p>');
    expect(new Uint8Array(await copy.arrayBuffer())).toEqual(content());
  });

  it('is answered by a server without being read', async () => {
    let body: ReadableStream | null | undefined;
    const handler = handlerOf((response) => {
      body = response.body;
      return response;
    });
    const answer = await handler.render(plainExchange('/'));
    expect(answer?.status).toBe(203);
    expect(answer?.body?.toString()).toBe('<p>caf\u00e9</p>');
    expect(body?.locked).toBe(false);
  });

  it('is what code around the engine makes of it', async () => {
    const handler = handlerOf(
      async (response) => new Response((await response.text()).toUpperCase(), response),
    );
    const answer = await handler.render(plainExchange('/'));
    expect(answer?.body?.toString()).toBe('<P>CAF\u00c9</P>');
  });
});
