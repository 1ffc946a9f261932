import type { UntaggedCall } from '../call-request.ts';
import { callError } from '../call-errors.ts';
import { isTagList } from '../rules/resolve-call-rule.ts';

/**
 * The tags that a call's rule gives to its response. A call whose tags are unknown is not sent: no purge would reach
 * its response, nor the page made of it.
 *
 * @throws SsrError `NG_SSR_CALL_FAILED` if the rule's function throws or returns something else than tags.
 */
export function tagsOfRule(call: UntaggedCall): readonly string[] {
  const { tags, pattern } = call.rule;
  if (typeof tags !== 'function') return tags;
  let made: unknown;
  try {
    made = tags(new URL(call.url));
  } catch (cause) {
    throw callError('NG_SSR_CALL_FAILED', call, `has no tags: tags of ${pattern} threw`, { cause });
  }
  if (isTagList(made)) return made;
  const allowed = 'a list of strings without spaces and commas';
  throw callError(
    'NG_SSR_CALL_FAILED',
    call,
    `has no tags: tags of ${pattern} returned no ${allowed}`,
  );
}

/** The tags of a response: those of its rule, of Cache-Tag and of Surrogate-Key. */
export function allTags(ofRule: readonly string[], headers: Headers): readonly string[] {
  const tagged = split(headers.get('cache-tag'), /[\s,]+/);
  const keys = split(headers.get('surrogate-key'), /\s+/);
  return [...new Set([...ofRule, ...tagged, ...keys])];
}

function split(header: string | null, separator: RegExp): string[] {
  return (header ?? '').split(separator).filter((tag) => tag !== '');
}
