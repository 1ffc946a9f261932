import type { Answer } from '../../exchange.ts';
import type { Endpoint, EndpointRoute } from '../../path/endpoint.ts';
import type { TokenEndpoint } from '../../path/token-endpoint.ts';
import type { Said } from '../../path/substitute.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import { sentContent } from '../../sent-content.ts';
import { channelOf, type RequestEvent } from '../../telemetry/channels.ts';
import type { MainLink } from '../../threads/main-link.ts';
import { unref } from '../../timers.ts';
import { isOfInspector } from './answers.ts';
import { InspectorPath, routeOfInspector } from './inspector-path.ts';
import { countRequest, noRequests } from './observation/counts.ts';

/** How long requests are counted before the main thread gets their number. */
const COUNTS_EVERY_MS = 1000;

const requests = channelOf('ng-ssr:request');

/** The inspector of a server thread: the main thread answers, and gets the number of the requests that are answered here. */
export class ThreadInspector implements Endpoint {
  readonly route: EndpointRoute;
  readonly #path: InspectorPath;
  readonly #main: MainLink;
  #counts = noRequests();
  #timer: NodeJS.Timeout | undefined;

  constructor({ path }: TokenEndpoint, main: MainLink) {
    this.route = routeOfInspector(path);
    this.#path = new InspectorPath(path);
    this.#main = main;
  }

  matches(parsed: ParsedRequest): boolean {
    return this.#path.read(parsed) !== undefined;
  }

  async answer({ exchange }: ParsedRequest): Promise<Answer> {
    const content = exchange.method === 'POST' ? await sentContent(exchange) : undefined;
    return (await this.#main.renderWithContent(exchange, content))!;
  }

  /** Never asked: the main thread explains. */
  says(): Said {
    return { answer: 'server', status: undefined, reasons: ['This is the inspector.'] };
  }

  start(): void {
    requests.subscribe(this.#count);
  }

  stop(): void {
    requests.unsubscribe(this.#count);
    this.#send();
  }

  readonly #count = (event: RequestEvent): void => {
    if (isOfInspector(event)) return;
    countRequest(this.#counts, event);
    this.#timer ??= unref(setTimeout(() => this.#send(), COUNTS_EVERY_MS));
  };

  #send(): void {
    clearTimeout(this.#timer);
    if (this.#timer === undefined) return;
    this.#timer = undefined;
    this.#main.post({ kind: 'requests', counts: this.#counts });
    this.#counts = noRequests();
  }
}
