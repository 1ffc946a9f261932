import type { ClientRequest, ClientResponse, ConformanceClient } from '../client.ts';
import { headerOf } from '../client.ts';

/** The entry of a logger before the pages for one request. */
export interface LogLine {
  readonly status: number;
  /** The logged content length; undefined where there was none. */
  readonly length: number | undefined;
}

/** How long to wait for a line before the case fails; no case depends on its length. */
const WAIT_MS = 10_000;

/** The lines of a server's logger, compared with the responses that its client received. */
export class RequestLog {
  readonly #lines: LogLine[] = [];
  #requests = 0;
  #wake: () => void = () => undefined;

  /** Called by the logger. */
  readonly add = (line: LogLine): void => {
    this.#lines.push(line);
    this.#wake();
  };

  /**
   * A client whose every request must be logged exactly once, with the status and the length that
   * were sent.
   *
   * @param client - Sends the requests.
   */
  watch(client: ConformanceClient): ConformanceClient {
    return {
      request: async (request) => {
        const index = this.#requests++;
        const response = await client.request(request);
        const line = await this.#line(index, request);
        if (this.#lines.length > this.#requests) {
          throw new Error(`${title(request)}: more requests were logged than were sent.`);
        }
        check(line, request, response);
        return response;
      },
    };
  }

  async #line(index: number, request: ClientRequest): Promise<LogLine> {
    const deadline = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      const line = this.#lines[index];
      if (line) return line;
      if (deadline.aborted) throw new Error(`${title(request)} was not logged.`);
      await new Promise<void>((resolve) => {
        const done = () => {
          deadline.removeEventListener('abort', done);
          resolve();
        };
        this.#wake = done;
        deadline.addEventListener('abort', done);
      });
    }
  }
}

function check(line: LogLine, request: ClientRequest, response: ClientResponse): void {
  if (line.status !== response.status) {
    throw new Error(`${title(request)} was a ${response.status}, logged as ${line.status}.`);
  }
  const sent = headerOf(response, 'content-length');
  // Without Content-Length (streamed compression, a 304) a logger may count the bytes, or log none.
  const isRight =
    sent === undefined
      ? line.length === undefined || line.length === response.body.length
      : line.length === Number(sent);
  if (!isRight) {
    throw new Error(
      `${title(request)} had the Content-Length ${sent} and ${response.body.length} bytes, logged ` +
        `as ${line.length}.`,
    );
  }
}

function title({ method = 'GET', target }: ClientRequest): string {
  return `${method} ${target}`;
}
