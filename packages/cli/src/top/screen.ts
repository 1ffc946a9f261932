import type { WriteStream } from 'node:tty';
import { printable } from '../terminal/print.ts';
import type { Size } from './view.ts';

/** The alternate screen, no cursor, and no wrapping of lines that are too long. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const LEAVE = '\x1b[?2026l\x1b[?7h\x1b[?25h\x1b[?1049l';
/** Synchronized output: terminals that know it show the frame at once. */
const BEGIN_FRAME = '\x1b[?2026h\x1b[H';
const END_FRAME = '\x1b[J\x1b[?2026l';
const END_OF_LINE = '\x1b[0m\x1b[K';

/** A terminal that shows one frame after another, and is as before at the end. */
export class Screen {
  readonly #output: WriteStream;
  #isOn = false;
  #shown = '';

  constructor(output: WriteStream) {
    this.#output = output;
  }

  get size(): Size {
    const { columns, rows } = this.#output;
    // A terminal that does not know its size has 0.
    return { columns: columns || 80, rows: rows || 24 };
  }

  enter(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#shown = '';
    this.#output.write(ENTER);
  }

  /** Shows a frame, unless it is the last one, or the terminal is behind. */
  show(lines: readonly string[]): void {
    const frame = lines.map((line) => printable(line, true) + END_OF_LINE).join('\r\n');
    if (!this.#isOn || frame === this.#shown || this.#output.writableNeedDrain) return;
    this.#shown = frame;
    this.#output.write(BEGIN_FRAME + frame + END_FRAME);
  }

  /** The next frame is shown in any case: the terminal has another size. */
  forget(): void {
    this.#shown = '';
  }

  leave(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#output.write(LEAVE);
  }
}
