import type { Answer, Exchange, FileAnswer } from '../exchange.ts';
import { valueOf } from '../http/header-list.ts';
import { type CacheResult, channelOf } from './channels.ts';

const requests = channelOf('ng-ssr:request');

/** Tells whoever listens of an answer. */
export function tellRequest(
  exchange: Exchange,
  answer: Answer | FileAnswer,
  durationMs: number,
): void {
  if (!requests.hasSubscribers) return;
  const cacheStatus = valueOf(answer.headers, 'cache-status') ?? '';
  requests.publish({
    method: exchange.method,
    target: exchange.target,
    status: answer.status,
    result: resultOf(cacheStatus),
    cacheStatus,
    durationMs,
  });
}

function resultOf(cacheStatus: string): CacheResult {
  if (cacheStatus.includes('; hit')) return cacheStatus.includes('ttl=-') ? 'stale' : 'hit';
  return cacheStatus.includes('; fwd=') && !cacheStatus.includes('fwd=bypass') ? 'miss' : 'bypass';
}
