import { AskedProgram } from '../doctor/facts/asked-program.ts';
import type { PageMessage, PageQuestion } from '../doctor/probe/probe-message.ts';

/** How long after its own limit a program that hangs is ended. */
const GRACE_MS = 5000;

/** The program of a build in a process of its own, whose pages are rendered in one way. It does not listen. */
export class ComparedServer {
  readonly #program: AskedProgram<PageQuestion, PageMessage>;

  constructor(
    program: string,
    isFast: boolean,
    withinMs: number,
    surroundings: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  ) {
    const asks = { file: undefined, page: undefined, render: undefined, isFast, withinMs };
    this.#program = new AskedProgram(program, asks, withinMs + GRACE_MS, surroundings);
  }

  /**
   * Waits until the program would listen.
   *
   * @returns why pages cannot be asked for; undefined if they can.
   */
  async start(): Promise<string | undefined> {
    const failure = await this.#program.start();
    const { description, isComparable } = this.#program.known;
    return description !== undefined && isComparable !== true
      ? 'its engine has no fast renders: use appEngine() or commonEngine()'
      : failure;
  }

  /** @returns undefined if the program has ended or hangs. */
  ask(path: string): Promise<PageMessage | undefined> {
    return this.#program.ask({ path });
  }

  stop(): void {
    this.#program.stop();
  }
}
