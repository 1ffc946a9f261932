import { readMember } from '../describe-error.ts';
import { SsrError, toLogLine } from '../errors.ts';
import { toLineWithCause } from '../log-line.ts';

/** An error that a page leaves with each render is logged once in this time. */
const LOG_AGAIN_MS = 10 * 60_000;
const MOST_REMEMBERED = 1000;
/** The URLs of two visits of a page differ in their queries. */
const QUERIES = /\?[^\s)]*/g;
const WHAT_HAPPENS =
  'Pages with errors are sent with Cache-Control: no-store; with the engine option failOnError: true they get 500';

interface Logged {
  readonly atMs: number;
  /** How often the page has left the error since. */
  more: number;
}

/** Where errors go without `onError`: one line each, with the stack of the cause. */
export class ErrorLog {
  #unhandled = new Map<string, Logged>();

  log(error: SsrError): void {
    if (error.code === 'NG_SSR_ERROR_UNHANDLED') this.#logUnhandled(error);
    else if (isOfSystem(error.cause)) console.error(toLineWithCause(error));
    else print(toLogLine(error), error);
  }

  #logUnhandled(error: SsrError): void {
    const page = error.message.replace(QUERIES, '');
    const nowMs = performance.now();
    const known = this.#unhandled.get(page);
    if (known !== undefined && nowMs - known.atMs < LOG_AGAIN_MS) {
      known.more++;
      return;
    }
    if (this.#unhandled.size >= MOST_REMEMBERED) this.#unhandled = new Map();
    this.#unhandled.set(page, { atMs: nowMs, more: 0 });
    const times = known === undefined || known.more === 0 ? '' : ` (${known.more} times more)`;
    const message = `${error.message}${times}. ${WHAT_HAPPENS}`;
    print(toLogLine(new SsrError(error.code, message)), error);
  }
}

/** Such as a refused connection: its stack has no line of the program. */
function isOfSystem(cause: unknown): boolean {
  return typeof readMember(cause, 'syscall') === 'string';
}

function print(line: string, { cause = '' }: SsrError): void {
  console.error(line, cause);
}
