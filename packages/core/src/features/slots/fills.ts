import { isPromise } from '../../platform/is-promise.ts';
import type { FillContext, Slot } from './slot-options.ts';
import { islandTemplates } from './island-html.ts';
import { failedSlotScript, slotScript } from './slot-script.ts';
import type { SlotWatch } from './slot-watch.ts';

/** What the fills of one response are for. */
export interface FillsParts {
  readonly request: Request;
  readonly requestContext: unknown;
  /** The path of the page, for messages. */
  readonly path: string;
  /** How many hosts the islands of the page have, by their slots. */
  readonly islands: ReadonlyMap<string, number>;
  readonly watch: SlotWatch;
}

/** A fill that has not ended. */
class Running {
  /** Made at once: a getter that makes it when it is read takes longer. */
  readonly controller = new AbortController();
  /** Then its HTML is awaited. */
  hasData = false;
  timer: ReturnType<typeof setTimeout> | undefined;

  end(): void {
    clearTimeout(this.timer);
  }
}

/** Enough turns of promises for an `async` fill that reads from memory and waits for nothing else. */
const TURNS = 8;

/** The fills of one response. They run at the same time, and each at most for its time. */
export class Fills {
  readonly #parts: FillsParts;
  readonly #running = new Map<Slot, Running>();
  readonly #sinceMs = performance.now();
  #arrived: Uint8Array[] = [];
  #wake: (() => void) | undefined;

  /** Starts them. */
  constructor(slots: readonly Slot[], parts: FillsParts) {
    this.#parts = parts;
    for (const slot of slots) {
      if (parts.watch.mayCall(slot)) this.#running.set(slot, new Running());
      else this.#arrived.push(failedSlotScript(slot.name));
    }
    for (const [slot, running] of [...this.#running]) this.#start(slot, running);
  }

  /** Whether all have ended. */
  get areDone(): boolean {
    return this.#running.size === 0;
  }

  /** Whether those with an island in the page have ended. */
  get areIslandsDone(): boolean {
    for (const { name } of this.#running.keys()) if (this.#parts.islands.has(name)) return false;
    return true;
  }

  /**
   * Lets those end that wait for nothing but promises, and limits the time of others. To be called at once. It is over
   * before the event loop does anything else.
   */
  async settle(): Promise<void> {
    for (let turn = 0; turn < TURNS && !this.areDone; turn++) await Promise.resolve();
    for (const [slot, running] of this.#running) this.#limit(slot, running);
  }

  /** The elements of slots that have arrived since the last call, in their order. */
  take(): readonly Uint8Array[] {
    const arrived = this.#arrived;
    this.#arrived = [];
    return arrived;
  }

  /** Resolves when something has arrived, or all have ended. */
  async next(): Promise<void> {
    if (this.#arrived.length > 0 || this.areDone) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Aborts the fills that still run: the client has left. */
  close(): void {
    this.#arrived = [];
    // A response that has ended is closed too.
    if (this.areDone) return;
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const each of running) {
      each.end();
      each.controller.abort();
    }
    this.#wake?.();
  }

  #start(slot: Slot, running: Running): void {
    try {
      const data = slot.fill(this.#parts.request, this.#contextOf(running));
      if (isPromise(data)) void this.#wait(slot, running, data);
      else this.#arrive(slot, running, data);
    } catch (cause) {
      this.#fail(slot, running, 'fill failed', cause);
    }
  }

  /** Never rejects. What is late finds nothing to do: neither it nor its rejection is kept. */
  async #wait(slot: Slot, running: Running, given: Promise<unknown>): Promise<void> {
    let data: unknown;
    try {
      data = await given;
    } catch (cause) {
      return this.#fail(slot, running, 'fill failed', cause);
    }
    this.#arrive(slot, running, data);
  }

  #arrive(slot: Slot, running: Running, data: unknown): void {
    if (!this.#isRunning(slot)) return;
    let failed = 'fill returned a value that cannot be sent as JSON';
    try {
      this.#arrived.push(slotScript(slot.name, data));
      running.hasData = true;
      const hosts = this.#parts.islands.get(slot.name);
      if (hosts === undefined) return this.#succeed(slot, running);
      failed = 'html failed';
      const context = { ...this.#contextOf(running), slot: slot.name };
      const html = slot.html!(data, this.#parts.request, context);
      if (typeof html !== 'string') return void this.#waitForHtml(slot, running, html, hosts);
      this.#arrived.push(islandTemplates(slot.name, html, hosts));
      this.#succeed(slot, running);
    } catch (cause) {
      this.#fail(slot, running, failed, cause);
    }
  }

  async #waitForHtml(
    slot: Slot,
    running: Running,
    given: Promise<string>,
    hosts: number,
  ): Promise<void> {
    this.#limit(slot, running);
    this.#wake?.();
    try {
      const templates = islandTemplates(slot.name, await given, hosts);
      if (!this.#isRunning(slot)) return;
      this.#arrived.push(templates);
    } catch (cause) {
      return this.#fail(slot, running, 'html failed', cause);
    }
    this.#succeed(slot, running);
  }

  #contextOf({ controller: { signal } }: Running): FillContext {
    return { signal, requestContext: this.#parts.requestContext };
  }

  /** `timeoutMs` is for the data and its HTML together. */
  #limit(slot: Slot, running: Running): void {
    const { timeoutMs } = slot;
    running.timer ??= setTimeout(() => {
      this.#fail(slot, running, `it took longer than ${timeoutMs} ms`, undefined, true);
    }, timeoutMs);
  }

  #isRunning(slot: Slot): boolean {
    return this.#running.has(slot);
  }

  #succeed(slot: Slot, running: Running): void {
    this.#running.delete(slot);
    running.end();
    this.#parts.watch.filled(slot, performance.now() - this.#sinceMs);
    this.#wake?.();
  }

  #fail(slot: Slot, running: Running, reason: string, cause: unknown, isTimeout = false): void {
    if (!this.#running.delete(slot)) return;
    running.end();
    const { path, watch } = this.#parts;
    const { hasData } = running;
    // Readers learn that no data comes.
    if (!hasData) this.#arrived.push(failedSlotScript(slot.name));
    const outcome = hasData ? 'is sent without HTML' : 'keeps its fallback';
    const failure = { path, reason, outcome, cause };
    watch.failed(slot, performance.now() - this.#sinceMs, failure, isTimeout);
    running.controller.abort();
    this.#wake?.();
  }
}
