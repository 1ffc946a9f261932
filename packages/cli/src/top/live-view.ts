import { emitKeypressEvents, type Key } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { InspectorState } from '@ng-ssr/core';
import { describeError, SsrError } from '@ng-ssr/core/pack';
import type { ServerClient } from '../server/server-client.ts';
import { colorsFor } from '../terminal/colors.ts';
import { toTimeText } from '../terminal/amounts.ts';
import { toFrame } from './frame.ts';
import { Screen } from './screen.ts';
import { SORTS, START, type View } from './view.ts';

const EVERY_MS = 1000;
/** A server that is away is asked less and less often. */
const MOST_WAIT_MS = 8000;
const TIMEOUT_MS = 5000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Shows a server until a key or a signal ends it. */
export class LiveView {
  readonly #client: ServerClient;
  readonly #stdin: ReadStream;
  readonly #screen: Screen;
  readonly #output: WriteStream;
  #view: View;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #answeredAtMs = performance.now();
  #end: (() => void) | undefined;

  constructor(
    client: ServerClient,
    server: string,
    state: InspectorState,
    { stdin, stdout }: { readonly stdin: ReadStream; readonly stdout: WriteStream },
  ) {
    this.#client = client;
    this.#stdin = stdin;
    this.#output = stdout;
    this.#screen = new Screen(stdout);
    this.#view = { ...START, server, state };
  }

  /** Resolves at the end; the terminal is then as it was. */
  async run(): Promise<void> {
    const ended = new Promise<void>((resolve) => (this.#end = resolve));
    process.on('exit', this.#restore);
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    process.on('SIGCONT', this.#start);
    this.#output.on('resize', this.#resize).on('error', this.#onWriteError);
    emitKeypressEvents(this.#stdin);
    this.#stdin.on('keypress', this.#onKey).on('end', () => this.#end?.());
    this.#start();
    this.#schedule(EVERY_MS);
    try {
      await ended;
    } finally {
      this.#stop();
    }
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#end = undefined;
    this.#restore();
    process.off('exit', this.#restore).off('SIGCONT', this.#start);
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    this.#output.off('resize', this.#resize);
    this.#stdin.off('keypress', this.#onKey).pause();
  }

  readonly #start = (): void => {
    this.#stdin.setRawMode(true).resume();
    this.#screen.enter();
    this.#show();
  };

  readonly #restore = (): void => {
    this.#screen.leave();
    // The terminal may be gone already.
    if (this.#stdin.isTTY && !this.#stdin.destroyed) this.#stdin.setRawMode(false);
  };

  /** Ends as the signal says, for the program that has sent it. */
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.#stop();
    process.kill(process.pid, signal);
  };

  /** The terminal, or the program that reads, is gone. */
  readonly #onWriteError = (): void => {
    this.#end?.();
  };

  readonly #resize = (): void => {
    this.#screen.forget();
    this.#show();
  };

  readonly #onKey = (_text: string | undefined, { sequence }: Key): void => {
    const { sort, isPaused, hasHelp } = this.#view;
    switch (sequence ?? '') {
      case 'q':
      case 'Q':
      case '\x03': // Ctrl+C
      case '\x04': // Ctrl+D
        return this.#end?.();
      case '\x1a': // Ctrl+Z
        this.#restore();
        return void process.kill(process.pid, 'SIGSTOP');
      case '\x0c': // Ctrl+L
        return this.#resize();
      case 's':
        return this.#change({ sort: SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length]! });
      case 'p':
      case ' ':
        return this.#change({ isPaused: !isPaused });
      case '?':
      case 'h':
        return this.#change({ hasHelp: !hasHelp });
    }
  };

  #change(changed: Partial<View>): void {
    this.#view = { ...this.#view, ...changed };
    this.#show();
  }

  #show(): void {
    this.#screen.show(toFrame(this.#view, this.#screen.size, colorsFor(this.#output)));
  }

  #schedule(waitMs: number): void {
    this.#timer = setTimeout(() => void this.#refresh(), waitMs);
  }

  async #refresh(): Promise<void> {
    const begunAtMs = performance.now();
    if (!this.#view.isPaused) await this.#ask();
    if (this.#end === undefined) return;
    const wait = Math.min(EVERY_MS * 2 ** Math.max(0, this.#failures - 1), MOST_WAIT_MS);
    this.#schedule(Math.max(0, wait - (performance.now() - begunAtMs)));
  }

  async #ask(): Promise<void> {
    try {
      const state = await this.#client.state(TIMEOUT_MS);
      this.#failures = 0;
      this.#answeredAtMs = performance.now();
      if (!this.#view.isPaused) this.#change({ state, trouble: undefined });
    } catch (error) {
      this.#failures++;
      const since = toTimeText(performance.now() - this.#answeredAtMs);
      const reason = error instanceof SsrError ? error.message : describeError(error);
      this.#change({ trouble: `No response for ${since}, retrying. ${reason}` });
    }
  }
}
