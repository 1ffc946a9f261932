import type { Look } from '../../../pages/pages.ts';

/** Why a stored page is the answer. */
export function sentenceOfStored({ held, use, inPlaceOfRender }: Look): string {
  const seconds = held === undefined ? 0 : (held.staleAtMs - performance.now()) / 1000;
  if (use === 'fresh') {
    return `The stored page answers: it is fresh for ${Math.floor(seconds)} more seconds.`;
  }
  const since = `it has been stale for ${Math.floor(-seconds)} seconds`;
  if (inPlaceOfRender === 'page-past-its-time') {
    return `The stored page answers, although ${since}: its last render failed, or renders are queued.`;
  }
  return held?.isRefreshing === true
    ? `The stored page answers: ${since}, and is being rendered again.`
    : `The stored page answers: ${since}, and is rendered again meanwhile.`;
}

/** The routes of frameworks are not known here. */
export const OF_FRAMEWORK =
  "If a route of the server's framework has this path, that route answers instead.";

/** Why the request waits for a render. */
export function reasonsOfRender(look: Look | undefined, mayBeStored: boolean): readonly string[] {
  const why = mayBeStored
    ? whyNotStored(look)
    : 'its rule, or its spelling, keeps it out of the store';
  const reasons = [`The page is rendered: ${why}.`];
  reasons.push(...(mayBeStored ? aboutOthers(look) : []));
  reasons.push(OF_FRAMEWORK);
  return reasons;
}

function aboutOthers(look: Look | undefined): readonly string[] {
  const reasons: string[] = [];
  if (look?.isInFlight === true) {
    reasons.push('A render of this page runs now: the request would wait for its page.');
  }
  if (look?.isUnshared === true) {
    reasons.push(
      'The last page of this key could not be shared, so that each request renders its own for a minute.',
    );
  }
  if (look?.hasTier === true) {
    reasons.push('The store that processes share is asked first: it may have the page.');
  }
  return reasons;
}

function whyNotStored(look: Look | undefined): string {
  if (look === undefined) return 'no pages of it are stored';
  const { held, use, isVariant } = look;
  if (held === undefined) {
    return isVariant
      ? 'no stored variant of it is for the headers of this request'
      : 'no stored page has its key';
  }
  const seconds = Math.floor((performance.now() - held.staleAtMs) / 1000);
  if (use === 'if-error') {
    return `its stored page has been stale for ${seconds} seconds, and answers only if the render fails`;
  }
  return `its stored page expired: it has been stale for ${seconds} seconds`;
}
