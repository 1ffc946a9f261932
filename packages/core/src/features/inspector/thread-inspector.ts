import type { Answer } from '../../exchange.ts';
import type { Endpoint, EndpointRoute } from '../../path/endpoint.ts';
import type { TokenEndpoint } from '../../path/token-endpoint.ts';
import type { Said } from '../../path/substitute.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import { sentContent } from '../../sent-content.ts';
import { channelOf, type RequestEvent, type SlotEvent } from '../../telemetry/channels.ts';
import type { MainThread } from '../../threads/server-threads.ts';
import { unref } from '../../timers.ts';
import { isOfInspector } from './answers.ts';
import { InspectorPath, routeOfInspector } from './inspector-path.ts';
import { countRequest, countsOf, noRequests, type SlotCounts } from './observation/counts.ts';

/** How long requests and slots are counted before the main thread gets their numbers. */
const COUNTS_EVERY_MS = 1000;

const requests = channelOf('ng-ssr:request');
const slots = channelOf('ng-ssr:slot');

/** The inspector of a server thread: the main thread answers, and gets the numbers of requests and slots of this thread. */
export class ThreadInspector implements Endpoint {
  readonly route: EndpointRoute;
  readonly #path: InspectorPath;
  readonly #main: MainThread;
  #counts = noRequests();
  #slots: SlotCounts = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor({ path }: TokenEndpoint, main: MainThread) {
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
    slots.subscribe(this.#countSlot);
  }

  stop(): void {
    requests.unsubscribe(this.#count);
    slots.unsubscribe(this.#countSlot);
    this.#send();
  }

  readonly #count = (event: RequestEvent): void => {
    if (isOfInspector(event)) return;
    countRequest(this.#counts, event);
    this.#sendSoon();
  };

  readonly #countSlot = ({ slot, result }: SlotEvent): void => {
    countsOf(this.#slots, slot)[result]++;
    this.#sendSoon();
  };

  #sendSoon(): void {
    this.#timer ??= unref(setTimeout(() => this.#send(), COUNTS_EVERY_MS));
  }

  #send(): void {
    clearTimeout(this.#timer);
    if (this.#timer === undefined) return;
    this.#timer = undefined;
    this.#main.countAnswered({ counts: this.#counts, slots: this.#slots });
    this.#counts = noRequests();
    this.#slots = new Map();
  }
}
