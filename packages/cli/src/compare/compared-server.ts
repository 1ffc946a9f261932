import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { endProgram, startProgram } from '../doctor/facts/program-process.ts';
import { lastError } from '../doctor/facts/start-server.ts';
import {
  type Asks,
  MARK,
  NOTHING_KNOWN,
  type PageMessage,
  type ProbeMessage,
} from '../doctor/probe/probe-message.ts';

/** How long after its own limit a program that hangs is ended. */
const GRACE_MS = 5000;
const KEPT_CHARACTERS = 16_000;

/** The program of a build in a process of its own, whose pages are rendered in one way. It does not listen. */
export class ComparedServer {
  readonly #child: ChildProcess;
  readonly #limitMs: number;
  readonly #answers = new Map<number, (message: PageMessage | undefined) => void>();
  readonly #ready: Promise<void>;
  #known: ProbeMessage = NOTHING_KNOWN;
  #output = '';
  #asked = 0;

  constructor(
    program: string,
    isFast: boolean,
    withinMs: number,
    surroundings: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  ) {
    const asks: Asks = { file: undefined, page: undefined, render: undefined, isFast, withinMs };
    this.#limitMs = withinMs + GRACE_MS;
    this.#child = startProgram(program, asks, surroundings);
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-KEPT_CHARACTERS);
    });
    this.#ready = this.#listen();
  }

  async #listen(): Promise<void> {
    const ended = once(this.#child, 'exit').then(() => this.#end());
    const ready = new Promise<void>((resolve) => {
      this.#child.on('message', (message: Record<string, unknown>) => {
        const told = message[MARK] as ProbeMessage | PageMessage | undefined;
        if (told === undefined) return;
        if ('id' in told) return this.#settle(told.id, told);
        this.#known = told;
        if (told.takesQuestions === true) resolve();
      });
    });
    const timer = setTimeout(() => this.stop(), this.#limitMs);
    await Promise.race([ready, ended]);
    clearTimeout(timer);
  }

  /**
   * Waits until the program would listen.
   *
   * @returns why pages cannot be asked for; undefined if they can.
   */
  async start(): Promise<string | undefined> {
    await this.#ready;
    const { description, isComparable, loadError, takesQuestions } = this.#known;
    if (description === undefined)
      return `the program did not create a server${lastError(this.#output)}`;
    if (isComparable !== true)
      return 'its engine has no fast renders: use appEngine() or commonEngine()';
    if (loadError !== undefined) return `the application cannot be loaded: ${loadError}`;
    return takesQuestions === true
      ? undefined
      : `the program does not listen${lastError(this.#output)}`;
  }

  /** @returns undefined if the program has ended or hangs. */
  ask(path: string): Promise<PageMessage | undefined> {
    const id = this.#asked++;
    return new Promise((resolve) => {
      if (!this.#child.connected) return resolve(undefined);
      const timer = setTimeout(() => this.#settle(id, undefined), this.#limitMs);
      this.#answers.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
      this.#child.send({ [MARK]: { id, path } }, (error) => error && this.#settle(id, undefined));
    });
  }

  #settle(id: number, message: PageMessage | undefined): void {
    this.#answers.get(id)?.(message);
    this.#answers.delete(id);
  }

  #end(): void {
    for (const id of [...this.#answers.keys()]) this.#settle(id, undefined);
  }

  stop(): void {
    endProgram(this.#child);
  }
}
