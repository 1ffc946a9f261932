import { ErrorReply } from '@redis/client';

/** An outage of refusals ends when Redis has refused nothing for this time. */
const QUIET_MS = 60_000;

/**
 * Tells the first refused command of an outage from the others. A full Redis takes a command now and then: one that
 * writes nothing, or a small one after something has expired. So no single success ends the outage.
 */
export class Refusals {
  #latestMs = -Infinity;

  /** Notes a refused command. @returns whether it is the first of its outage. */
  isFirst(): boolean {
    const nowMs = performance.now();
    const isFirst = nowMs - this.#latestMs >= QUIET_MS;
    this.#latestMs = nowMs;
    return isFirst;
  }
}

/** Redis repeats the arguments of an unknown command in its error: for AUTH, the password. */
export function withoutArguments(reason: unknown): unknown {
  const [message, repeated] =
    reason instanceof Error ? reason.message.split(', with args ', 2) : [];
  return repeated === undefined ? reason : new ErrorReply(message!);
}
