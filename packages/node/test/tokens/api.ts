import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '@ng-ssr/conformance/fuzz';

/** Headers of responses that are for one client alone. */
const OF_ONE_CLIENT: readonly Record<string, string>[] = [
  { 'set-cookie': 'user=1' },
  { 'cache-control': 'private, max-age=60' },
  { 'cache-control': 'no-store' },
  { 'cache-control': 'max-age=60', vary: '*' },
];
const SHOWN = ['cookie', 'authorization', 'x-session', 'origin', 'baggage'];

/** Tokens that have been issued, by any API. */
let issued = 0;

/**
 * An API whose `/session` issues a token to each request, whose `/redirect` leads to the URL of its query, and which shows at
 * all other paths what it was sent, and says to everybody that all may have it.
 */
export class TokenApi {
  readonly origin: string;
  asked = 0;
  readonly #server: Server;
  readonly #random: Random;

  private constructor(server: Server, random: Random) {
    this.#server = server;
    this.#random = random;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      this.asked++;
      const delayMs = random.pick([0, 0, 0, 1, 4]);
      if (delayMs === 0) this.#answer(request, response);
      else setTimeout(() => this.#answer(request, response), delayMs);
    });
  }

  static async start(random: Random): Promise<TokenApi> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TokenApi(server, random);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const random = this.#random;
    const { pathname, searchParams } = new URL(url!, 'http://api');
    if (pathname === '/redirect') {
      const ofOne = random.chance(0.3) ? random.pick(OF_ONE_CLIENT) : {};
      return void response.writeHead(302, { ...ofOne, location: searchParams.get('to')! }).end();
    }
    if (pathname === '/session') {
      return void response.writeHead(200, random.pick(OF_ONE_CLIENT)).end(`issued${++issued}.`);
    }
    response.setHeader(
      'cache-control',
      random.pick(['public, max-age=60', 'max-age=60', 'no-cache', '']),
    );
    if (random.chance(0.3)) response.setHeader('etag', '"same"');
    response.end(SHOWN.map((name) => `${name}: ${String(headers[name])}`).join(', '));
  }
}
