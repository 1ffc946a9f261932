import { Refresher } from './refresher.ts';

const FAILURES_OF_AN_OUTAGE = 5;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;
/** The shortest time between two look-ups that failures cause. */
const LEAST_INTERVAL_MS = 100;

export interface DiscoveryContext {
  /** Finds out which servers there are. */
  look(): Promise<void>;
  /** Called once when none could be found for about a second. */
  onOutage(cause: unknown): void;
}

/** Looks where servers are: until they are found, and again when something has changed. */
export class Discovery {
  readonly #context: DiscoveryContext;
  readonly #refresher: Refresher;
  #isEnded = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #latestMs = -Infinity;

  constructor(context: DiscoveryContext) {
    this.#context = context;
    this.#refresher = new Refresher(async () => {
      if (this.#isEnded) throw new Error('closed');
      this.#latestMs = performance.now();
      await context.look();
    });
  }

  /** Looks until it succeeds. */
  start(): void {
    this.#refresher.refresh().then(
      () => (this.#failures = 0),
      (error: unknown) => {
        if (this.#isEnded) return;
        this.#failures++;
        if (this.#failures === FAILURES_OF_AN_OUTAGE) this.#context.onOutage(error);
        const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS);
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.start();
        }, delayMs).unref();
      },
    );
  }

  /** Looks again soon, however often it is called. */
  note(): void {
    if (this.#isEnded || this.#timer !== undefined) return;
    const delayMs = Math.max(0, this.#latestMs + LEAST_INTERVAL_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.refresh().catch(() => undefined);
    }, delayMs).unref();
  }

  /** Resolves after a look-up that begins now. */
  refresh(): Promise<void> {
    return this.#refresher.refresh();
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }
}
