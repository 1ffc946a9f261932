import type { Look } from '../../../pages/pages.ts';

/** Why a stored page is sent. */
export function sentenceOfStored({ held, use, inPlaceOfRender }: Look): string {
  const seconds = held === undefined ? 0 : (held.staleAtMs - performance.now()) / 1000;
  if (use === 'fresh') {
    return `The cached page is fresh for ${Math.floor(seconds)} more seconds.`;
  }
  const since = `has been stale for ${Math.floor(-seconds)} seconds`;
  if (inPlaceOfRender === 'page-past-its-time') {
    return `The cached page ${since}. It is sent because its last render failed, or renders are queued.`;
  }
  return held?.isRefreshing === true
    ? `The cached page ${since}, and is being rendered again.`
    : `The cached page ${since}. It is sent, and then rendered again.`;
}

/** The routes of frameworks are not known here. */
export const OF_FRAMEWORK =
  'If the framework has a route for this path, that route responds instead.';

/** Why the request waits for a render. */
export function reasonsOfRender(look: Look | undefined, mayBeStored: boolean): readonly string[] {
  const why = mayBeStored
    ? whyNotStored(look)
    : 'its rule, or the spelling of its path, excludes it from the cache';
  const reasons = [`The page is rendered: ${why}.`];
  reasons.push(...(mayBeStored ? aboutOthers(look) : []));
  reasons.push(OF_FRAMEWORK);
  return reasons;
}

function aboutOthers(look: Look | undefined): readonly string[] {
  const reasons: string[] = [];
  if (look?.isInFlight === true) {
    reasons.push('The page is being rendered: the request would wait for that render.');
  }
  if (look?.isUnshared === true) {
    reasons.push(
      'The last page of this key could not be shared, so each request renders its own page for a minute.',
    );
  }
  if (look?.hasTier === true) {
    reasons.push('The server looks in the shared page store first.');
  }
  return reasons;
}

function whyNotStored(look: Look | undefined): string {
  if (look === undefined) return 'its pages are not cached';
  const { held, use, isVariant } = look;
  if (held === undefined) {
    return isVariant
      ? 'no cached variant fits the headers of this request'
      : 'no cached page has its key';
  }
  const seconds = Math.floor((performance.now() - held.staleAtMs) / 1000);
  if (use === 'if-error') {
    return `its cached page has been stale for ${seconds} seconds, and is sent only if the render fails`;
  }
  return `its cached page expired: it has been stale for ${seconds} seconds`;
}
