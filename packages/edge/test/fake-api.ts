import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as an API has got it. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The API of a CDN. */
export interface FakeApi {
  readonly url: string;
  readonly requests: ApiRequest[];
  /** Answers the next requests; without one, as the API does. */
  readonly next: ((response: ServerResponse) => void)[];
  close(): Promise<void>;
}

/** @param answer - What the API answers to a request that is right. */
export async function openApi(
  answer: (request: ApiRequest, response: ServerResponse) => void,
): Promise<FakeApi> {
  const requests: ApiRequest[] = [];
  const next: ((response: ServerResponse) => void)[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, headers, body };
      requests.push(request);
      const reply = next.shift();
      if (reply === undefined) answer(request, response);
      else reply(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    next,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
