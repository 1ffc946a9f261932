import { valueOf } from '../http/header-list.ts';
import { ownExchange } from '../pages/own-exchange.ts';
import type { OwnServer } from '../path/own-feature.ts';
import { withSlot } from '../render/with-slot.ts';
import type { FilledPage } from '../telemetry/server-description.ts';

/**
 * Has a page in the page store, as a visitor without cookies requests it: renders it unless it is there and fresh.
 *
 * @param changedAtMs - A page rendered before this time (`Date.now()`) is rendered again. A time to come does not count:
 * until then each call would render.
 */
export async function fillPage(
  { closing, pages, parse, renderAhead }: OwnServer,
  url: string,
  changedAtMs: number | undefined,
): Promise<FilledPage> {
  const { href, origin, pathname, search } = new URL(url);
  const exchange = ownExchange(origin, pathname + search);
  const answer = await withSlot(() => renderAhead(exchange), closing);
  const status = answer?.status ?? 404;
  if (answer === undefined || status >= 400)
    return { result: 'failed', reason: `status ${status}` };
  const how = valueOf(answer.headers, 'cache-status') ?? '';
  const notStored: FilledPage = { result: 'notStored', reason: `Cache-Status: ${how}` };
  const isHit = /; hit/.test(how);
  if (isHit) {
    const age = valueOf(answer.headers, 'age');
    // A file of the build has no age, and is not rendered.
    if (age === undefined) return { result: 'cached' };
    const nowMs = Date.now();
    // Age has whole seconds: the page may be up to one second older.
    const oldestMs = nowMs - (Number(age) + 1) * 1000;
    const isOld = changedAtMs !== undefined && changedAtMs <= nowMs && oldestMs < changedAtMs;
    if (!isOld && !how.includes('; ttl=-')) return { result: 'cached' };
    const { failed, refreshed } = await pages.refresh({ urls: [href] });
    if (failed.length > 0) return { result: 'failed', reason: 'its render failed' };
    if (refreshed === 0) return notStored;
  } else if (!/; stored/.test(how)) return notStored;
  const isShared = await pages.isShared?.(parse(exchange));
  return isShared === true ? { result: 'rendered' } : NOT_TAKEN;
}

const NOT_TAKEN: FilledPage = {
  result: 'failed',
  reason:
    'the page store did not return it: it is unreachable or slow, or the page is larger than its maxEntryBytes',
};
