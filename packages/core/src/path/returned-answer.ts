import { isList } from '../check-option.ts';
import type { Answer, StreamedAnswer } from '../exchange.ts';
import { isHeaderName, isHeaderValue } from '../http/header-syntax.ts';
import { isFinalStatus } from '../http/status.ts';

/** Whether what a feature returned has the type Answer. */
export function isAnswer(given: unknown): given is Answer {
  const { status, headers, body } = Object(given) as Partial<Answer>;
  const isFlat = isList(headers, (text) => typeof text === 'string') && headers!.length % 2 === 0;
  return isFinalStatus(status) && isFlat && (body === null || body instanceof Uint8Array);
}

/** Whether a server can send these headers. */
export function areSendable({ headers }: Answer | StreamedAnswer): boolean {
  return headers.every((text, at) => (at % 2 === 0 ? isHeaderName(text) : isHeaderValue(text)));
}

/** What a feature returned instead, for messages. */
export function describe(given: unknown): string {
  if (given instanceof Response) return 'a Response';
  if (isAnswer(given)) return 'unsendable headers';
  return given instanceof Object ? 'another object' : String(given);
}

export function refusePromise(): never {
  throw new TypeError('it returned a promise, which is not awaited');
}
