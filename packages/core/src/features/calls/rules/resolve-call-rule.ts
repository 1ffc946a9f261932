import { isList, keyOf } from '../../../check-option.ts';
import { isHeaderName } from '../../../http/header-syntax.ts';
import { count, flag, milliseconds } from '../../../options/option-values.ts';
import {
  eachOf,
  group,
  option,
  type Option,
  optional,
  withDefault,
} from '../../../options/option.ts';
import type { CallCacheRule, CallRule, ResolvedCallRule } from './call-rule.ts';

const DEFAULT_BYTES = 10 * 1024 * 1024;
const DEFAULT_QUEUED = 100;

/** Headers that belong to one connection, or that the server sets itself. */
const NEVER_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['host', 'content-length', 'content-type', 'content-encoding', 'accept-encoding', 'range'],
]);

const forwarded = eachOf<string>(
  (name) => isHeaderName(name) && !NEVER_FORWARDED.has(String(name).toLowerCase()),
  'a list of names of request headers, except those of the connection and the content',
);

const tags = option<NonNullable<CallRule['tags']>>(
  (given) => typeof given === 'function' || isTagList(given),
  'a list of tags without spaces and commas, or a function (url) => list',
);

const vary = group({
  headers: withDefault(inLowerCase(eachOf(isHeaderName, 'a list of header names')), []),
  cookies: withDefault(eachOf<string>(isCookieName, 'a list of cookie names'), []),
});

const seconds = optional(count(0, 'seconds'));

const lifetimes = group<CallCacheRule>(
  {
    sMaxAge: seconds,
    staleWhileRevalidate: seconds,
    staleIfError: seconds,
    vary: optional(vary),
  },
  "'shared', false or an object of lifetimes",
);

const cache: Option<CallCacheRule | undefined> = (name, given) => {
  if (given === false) return undefined;
  return given === 'shared' ? {} : lifetimes(name, given);
};

const callRule = group({
  inProcess: flag(false),
  forward: withDefault(inLowerCase(forwarded), []),
  timeoutMs: optional(milliseconds(1)),
  retries: withDefault(count(0), 0),
  cache: optional(cache),
  dedupe: optional(flag(false)),
  tags: withDefault(tags, []),
  maxBytes: withDefault(count(1, 'bytes'), DEFAULT_BYTES),
  concurrency: withDefault(count(1), Number.POSITIVE_INFINITY),
  maxQueued: withDefault(count(0), DEFAULT_QUEUED),
});

/** The rule of calls that no pattern matches. */
export const NO_RULE: ResolvedCallRule = resolveCallRule('', {});

/**
 * Checks a rule and fills in defaults.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveCallRule(pattern: string, rule: CallRule): ResolvedCallRule {
  const checked = callRule(keyOf('withCalls', pattern), rule);
  return { ...checked, pattern, dedupe: checked.dedupe ?? checked.cache !== undefined };
}

/** Whether these can be tags: strings without spaces and commas, which separate tags in Cache-Tag. */
export function isTagList(given: unknown): given is readonly string[] {
  return isList(given, (tag) => typeof tag === 'string' && TAG.test(tag));
}

const TAG = /^[^\s,\x00-\x1f\x7f]+$/;

function isCookieName(name: unknown): boolean {
  return typeof name === 'string' && /^[!#-+\--:<-~]+$/.test(name) && !name.includes('=');
}

function inLowerCase(names: Option<readonly string[]>): Option<readonly string[]> {
  return (name, given) => names(name, given).map((each) => each.toLowerCase());
}
