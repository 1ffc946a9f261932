import type { ThreadBounds } from '../../render/render-threads.ts';
import type { Dispatcher } from './dispatcher.ts';
import { PoolSize } from './pool-size.ts';
import type { Supervisor } from './supervisor.ts';

/** How often a pool without renders is read while it has more threads than it must have. */
const READ_IDLE_EVERY_MS = 60_000;

/** The part of a {@link Supervisor} that changes the number of threads. */
export type ResizableThreads = Pick<
  Supervisor,
  'serving' | 'size' | 'isStarting' | 'grow' | 'shrink'
>;

/** Keeps the number of threads at what {@link PoolSize} finds right. */
export class Autosize {
  readonly #bounds: ThreadBounds;
  readonly #supervisor: ResizableThreads;
  readonly #dispatcher: Pick<Dispatcher, 'inFlight'>;
  readonly #poolSize: PoolSize;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    bounds: ThreadBounds,
    supervisor: ResizableThreads,
    dispatcher: Pick<Dispatcher, 'inFlight'>,
  ) {
    this.#bounds = bounds;
    this.#supervisor = supervisor;
    this.#dispatcher = dispatcher;
    this.#poolSize = new PoolSize(bounds);
  }

  /** Starts or ends threads if that pays. To be called at intervals while renders are in flight. */
  check(): void {
    if (this.#isStopped) return;
    const { serving, isStarting } = this.#supervisor;
    const { inFlight } = this.#dispatcher;
    const change = this.#poolSize.read({ atMs: performance.now(), serving, inFlight, isStarting });
    if (change > 0) this.#supervisor.grow('renders wait for busy threads');
    if (change < 0) this.#supervisor.shrink(-change, 'the others suffice');
    this.#watchIdle();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** Without renders nothing else calls {@link check}, and that is when threads should end. */
  #watchIdle(): void {
    if (this.#supervisor.size > this.#bounds.min) {
      this.#timer ??= setInterval(() => this.check(), READ_IDLE_EVERY_MS).unref();
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
