import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';
import { valueOf } from '../http/header-list.ts';
import { type CacheResult, channelOf, type RequestEvent, type TypedChannel } from './channels.ts';

/** Where the answers of a server are noted. */
export interface AnswerLog {
  /** Must not throw. */
  add(event: RequestEvent, exchange: Exchange): void;
}

/** Callers check for subscribers and a log first: without either an answer costs nothing here. */
export const requests: TypedChannel<'ng-ssr:request'> = channelOf('ng-ssr:request');

/**
 * Publishes an answer, and logs it.
 *
 * @param log - Undefined without a log, and for pages that the server renders for itself.
 * @param bytes - Of the body that were sent.
 */
export function publishRequest(
  exchange: Exchange,
  answer: Answer | StreamedAnswer,
  durationMs: number,
  log: AnswerLog | undefined,
  bytes: number = bytesOf(answer),
): void {
  const { hasSubscribers } = requests;
  const cacheStatus = valueOf(answer.headers, 'cache-status') ?? '';
  const event = {
    timeMs: Date.now(),
    method: exchange.method,
    target: exchange.target,
    status: answer.status,
    bytes,
    durationMs,
    result: resultOf(cacheStatus),
    cacheStatus,
  };
  if (hasSubscribers) requests.publish(event);
  log?.add(event, exchange);
}

function bytesOf(answer: Answer | StreamedAnswer): number {
  if ('content' in answer) return answer.content.lengthBytes ?? 0;
  return answer.body?.byteLength ?? 0;
}

function resultOf(cacheStatus: string): CacheResult {
  if (cacheStatus.includes('; hit')) return cacheStatus.includes('ttl=-') ? 'stale' : 'hit';
  return cacheStatus.includes('; fwd=') && !cacheStatus.includes('fwd=bypass') ? 'miss' : 'bypass';
}
