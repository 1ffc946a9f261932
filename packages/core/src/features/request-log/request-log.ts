import { AsyncLocalStorage } from 'node:async_hooks';
import { SsrError } from '../../errors.ts';
import type { Exchange } from '../../exchange.ts';
import type { RequestEvent } from '../../telemetry/channels.ts';
import type { RequestLogEntry, RequestLogOptions } from './request-log-options.ts';

/** The longest time before an entry is written. */
const WRITE_AFTER_MS = 100;
/** This many entries are written as soon as the pending requests are answered. */
const MOST_ENTRIES = 1000;

const NO_HEADERS: Readonly<Record<string, string>> = {};

const unwritten = new Set<RequestLog>();
let listensForExit = false;

/** Writes requests in batches, so that no request pays for its line. */
export class RequestLog {
  readonly #write: RequestLogOptions['write'];
  readonly #names: readonly (readonly [header: string, name: string])[];
  readonly #onError: (error: SsrError) => void;
  /** Batches are written in the async context of the start: they belong to no request. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  readonly #writing = new Set<Promise<void>>();
  #entries: RequestLogEntry[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ write, headers }: Required<RequestLogOptions>, onError: (error: SsrError) => void) {
    this.#write = write;
    this.#names = (headers ?? []).map((name) => [name.toLowerCase(), name]);
    this.#onError = onError;
    if (!listensForExit) process.on('exit', () => unwritten.forEach((log) => log.#flush()));
    listensForExit = true;
  }

  add(event: RequestEvent, exchange: Exchange): void {
    const headers = this.#names.length === 0 ? NO_HEADERS : this.#headersOf(exchange);
    const length = this.#entries.push({ ...event, headers });
    if (length === 1) this.#begin();
    else if (length === MOST_ENTRIES) setImmediate(() => this.#flush());
  }

  /** Writes all entries; resolves when they are written. */
  async flush(): Promise<void> {
    this.#flush();
    await Promise.all(this.#writing);
  }

  #begin(): void {
    unwritten.add(this);
    this.#timer = this.#runAtStart(() => setTimeout(() => this.#flush(), WRITE_AFTER_MS).unref());
  }

  #flush(): void {
    clearTimeout(this.#timer);
    unwritten.delete(this);
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    const writing = this.#runAtStart(() => this.#hand(entries));
    this.#writing.add(writing);
    void writing.then(() => this.#writing.delete(writing));
  }

  /** Calls the user's function synchronously, since a process that exits waits for nothing. */
  async #hand(entries: readonly RequestLogEntry[]): Promise<void> {
    try {
      await this.#write(entries);
    } catch (cause) {
      const message = `withRequestLog.write failed: ${entries.length} requests were not logged`;
      this.#onError(new SsrError('NG_SSR_LOG_FAILED', message, { cause }));
    }
  }

  #headersOf(exchange: Exchange): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [header, name] of this.#names) {
      const value = exchange.header(header);
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  }
}
