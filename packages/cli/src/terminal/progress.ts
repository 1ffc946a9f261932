import { print } from './print.ts';

const WIDTH = 30;
/** How often a log that is no terminal gets a line. */
const LINE_EVERY_MS = 5000;

/** Shows how far a work is, on standard error: a bar on a terminal, else a line from time to time. */
export class Progress {
  readonly #title: string;
  readonly #things: string;
  readonly #isTerminal = process.stderr.isTTY === true;
  #shownAtMs = -Infinity;

  /** @param things - What is counted. */
  constructor(title: string, things = 'files') {
    this.#title = title;
    this.#things = things;
  }

  show(done: number, all: number): void {
    if (this.#isTerminal) {
      const filled = all === 0 ? WIDTH : Math.floor((done / all) * WIDTH);
      const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled);
      process.stderr.write(`${CLEAR}${this.#title} [${bar}] ${done} of ${all} ${this.#things}`);
      return;
    }
    const nowMs = performance.now();
    if (nowMs - this.#shownAtMs < LINE_EVERY_MS) return;
    this.#shownAtMs = nowMs;
    process.stderr.write(`${this.#title}: ${done} of ${all} ${this.#things}\n`);
  }

  /** Prints a line of another kind; the bar comes back with the next step. */
  interrupt(line: string): void {
    if (this.#isTerminal) process.stderr.write(CLEAR);
    print(`${line}\n`, process.stderr);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#isTerminal) process.stderr.write(CLEAR);
  }
}

/** Back to the start of the line, which is erased. */
const CLEAR = '\r\x1b[2K';
