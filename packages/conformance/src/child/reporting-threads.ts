import { BroadcastChannel, threadId } from 'node:worker_threads';

/** Messages between the threads of a program that serves in several. */
type Message =
  | { readonly kind: 'here' | 'reported'; readonly threadId: number; readonly question: number }
  | { readonly kind: 'report'; readonly question: number };

const isNode = process.versions['bun'] === undefined && !('Deno' in globalThis);

/** The server threads of a program: each reports errors to the suite by itself. */
export class ReportingThreads {
  /** Undefined on runtimes without server threads. */
  readonly #channel = isNode ? new BroadcastChannel('ng-ssr:conformance') : undefined;
  readonly #threads = new Set<number>();
  readonly #waiting = new Map<number, { left: number; resolve: () => void }>();
  #lastQuestion = 0;

  constructor() {
    if (this.#channel === undefined) return;
    this.#channel.onmessage = ({ data }) => this.#take(data as Message);
    this.#channel.unref();
  }

  /** In a server thread: says when its reports so far have been received. Never resolves. */
  join(reported: () => Promise<unknown>): Promise<never> {
    this.#channel!.onmessage = async ({ data }) => {
      const { kind, question } = data as Message;
      if (kind !== 'report') return;
      await reported();
      this.#post({ kind: 'reported', threadId, question });
    };
    this.#post({ kind: 'here', threadId, question: 0 });
    return new Promise(() => undefined);
  }

  /** On the main thread: resolves when the suite has received all reports of the other threads so far. */
  haveReported(): Promise<void> {
    const left = this.#threads.size;
    if (left === 0) return Promise.resolve();
    const question = ++this.#lastQuestion;
    return new Promise((resolve) => {
      this.#waiting.set(question, { left, resolve });
      this.#post({ kind: 'report', question });
    });
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message);
  }

  #take(message: Message): void {
    if (message.kind === 'here') this.#threads.add(message.threadId);
    const waiting = message.kind === 'reported' ? this.#waiting.get(message.question) : undefined;
    if (waiting === undefined || --waiting.left > 0) return;
    this.#waiting.delete(message.question);
    waiting.resolve();
  }
}
