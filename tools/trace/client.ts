import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** One request of a journey. */
export interface Ask {
  readonly target: string;
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back, when all of it was there. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The number of interim responses before it. */
  readonly interim: number;
}

/** Sends requests over connections that stay open. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  send({ target, method = 'GET', headers, body }: Ask): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request({
        port: this.#port,
        host: '127.0.0.1',
        agent: this.#agent,
        path: target,
        method,
        headers: { 'accept-encoding': 'br', ...headers },
      });
      let interim = 0;
      sent.on('information', () => interim++);
      sent.on('error', reject).on('response', (response) => {
        response.on('error', reject).on('end', () => {
          resolve({ status: response.statusCode!, headers: response.headers, interim });
        });
        response.resume();
      });
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
