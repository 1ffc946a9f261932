import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Asks, MARK, NOTHING_KNOWN, type ProbeMessage } from '../probe/probe-message.ts';
import { endProgram, startProgram } from './program-process.ts';
import { lastError } from './start-server.ts';

const KEPT_CHARACTERS = 16_000;

/** An answer of the probe, to the question of this id. */
interface Told {
  readonly id: number;
}

/** A program in a process of its own, whose probe answers questions. It does not listen. */
export class AskedProgram<Question extends object, Message extends Told> {
  readonly #child: ChildProcess;
  readonly #limitMs: number;
  readonly #answers = new Map<number, (message: Message | undefined) => void>();
  readonly #ready: Promise<void>;
  #known: ProbeMessage = NOTHING_KNOWN;
  #output = '';
  #asked = 0;
  #isLate = false;
  #ending: string | undefined;

  /**
   * @param limitMs - How long the program may take to its start, and to each answer.
   * @param onOutput - Gets what it writes to standard error.
   */
  constructor(
    program: string,
    asks: Asks,
    limitMs: number,
    surroundings: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
    onOutput?: (text: string) => void,
  ) {
    this.#limitMs = limitMs;
    this.#child = startProgram(program, asks, surroundings);
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-KEPT_CHARACTERS);
      onOutput?.(text);
    });
    this.#ready = this.#listen();
  }

  /** What the probe has learned. */
  get known(): ProbeMessage {
    return this.#known;
  }

  /** Why it takes no more questions; undefined while it does. */
  get ending(): string | undefined {
    return this.#ending;
  }

  async #listen(): Promise<void> {
    const ended = once(this.#child, 'exit').then(([code, signal]) => {
      this.#ending = `the program exited with ${String(signal ?? code)}`;
      this.#end();
    });
    const ready = new Promise<void>((resolve) => {
      this.#child.on('message', (message: Record<string, unknown>) => {
        const told = message[MARK] as ProbeMessage | Message | undefined;
        if (told === undefined) return;
        if ('id' in told) return this.#settle(told.id, told);
        this.#known = told;
        if (told.takesQuestions === true) resolve();
      });
    });
    const timer = setTimeout(() => {
      this.#isLate = true;
      this.stop();
    }, this.#limitMs);
    await Promise.race([ready, ended]);
    clearTimeout(timer);
  }

  /**
   * Waits until the program would listen.
   *
   * @returns why it cannot be asked; undefined if it can.
   */
  async start(): Promise<string | undefined> {
    await this.#ready;
    const { description, isLate, loadError, takesQuestions } = this.#known;
    if (this.#isLate || isLate)
      return `the program did not listen within ${this.#limitMs / 1000} s${lastError(this.#output)}`;
    if (description === undefined)
      return `the program did not create a server${lastError(this.#output)}`;
    if (loadError !== undefined) return `the application cannot be loaded: ${loadError}`;
    return takesQuestions === true
      ? undefined
      : `the program does not listen${lastError(this.#output)}`;
  }

  /** @returns undefined if the program has ended or hangs. */
  ask(question: Question): Promise<Message | undefined> {
    const id = this.#asked++;
    return new Promise((resolve) => {
      if (this.#ending !== undefined) return resolve(undefined);
      const timer = setTimeout(() => this.#settle(id, undefined), this.#limitMs);
      this.#answers.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
      // If the channel has closed, the program is about to exit, which settles all.
      this.#child.send({ [MARK]: { ...question, id } }, () => undefined);
    });
  }

  #settle(id: number, message: Message | undefined): void {
    this.#answers.get(id)?.(message);
    this.#answers.delete(id);
  }

  #end(): void {
    for (const id of [...this.#answers.keys()]) this.#settle(id, undefined);
  }

  /** Has the probe end the program as it does when this process ends, and waits for that. */
  async leave(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const timer = setTimeout(() => this.stop(), this.#limitMs);
    const ended = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await ended;
    clearTimeout(timer);
  }

  stop(): void {
    endProgram(this.#child);
  }
}
