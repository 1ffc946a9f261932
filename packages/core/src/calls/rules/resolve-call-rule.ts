import {
  assertKnownOptions,
  check,
  checkCount,
  checkMs,
  isList,
  isOptionObject,
} from '../../check-option.ts';
import { isFieldName } from '../../http/field-syntax.ts';
import type { CallCacheRule, CallRule, ResolvedCallRule } from './call-rule.ts';

const DEFAULT_BYTES = 10 * 1024 * 1024;
const DEFAULT_QUEUED = 100;

const NAMES: readonly string[] = [
  'inProcess',
  'forward',
  'timeoutMs',
  'retries',
  'cache',
  'dedupe',
  'tags',
  'maxBytes',
  'concurrency',
  'maxQueued',
] satisfies readonly (keyof CallRule)[];

const CACHE_NAMES: readonly string[] = [
  'sMaxAge',
  'staleWhileRevalidate',
  'staleIfError',
  'vary',
] satisfies readonly (keyof CallCacheRule)[];

const VARY_NAMES: readonly string[] = ['headers', 'cookies'];

/** Fields that belong to one connection, or that the server sets itself. */
const NEVER_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['host', 'content-length', 'content-type', 'content-encoding', 'accept-encoding', 'range'],
]);

/** The rule of calls that no pattern matches. */
export const NO_RULE: ResolvedCallRule = resolveCallRule('', {});

/**
 * Checks a rule and fills in defaults.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveCallRule(pattern: string, rule: CallRule): ResolvedCallRule {
  const path = `calls[${JSON.stringify(pattern)}]`;
  checkNames(path, rule, NAMES);
  const { inProcess = false, forward = [], timeoutMs, retries = 0, cache = false } = rule;
  const { tags = [], maxBytes = DEFAULT_BYTES, concurrency, maxQueued = DEFAULT_QUEUED } = rule;
  const { dedupe = cache !== false } = rule;
  const isFlag = (value: unknown): boolean => typeof value === 'boolean';
  check(`${path}.inProcess`, inProcess, isFlag(inProcess), 'true or false');
  check(`${path}.dedupe`, dedupe, isFlag(dedupe), 'true or false');
  checkFields(`${path}.forward`, forward);
  if (timeoutMs !== undefined) checkMs(`${path}.timeoutMs`, timeoutMs, 1);
  checkCount(`${path}.retries`, retries, 0);
  checkCount(`${path}.maxBytes`, maxBytes, 1, 'bytes');
  if (concurrency !== undefined) checkCount(`${path}.concurrency`, concurrency, 1);
  checkCount(`${path}.maxQueued`, maxQueued, 0);
  const isTags = typeof tags === 'function' || isTagList(tags);
  check(
    `${path}.tags`,
    tags,
    isTags,
    'a list of tags without spaces and commas, or a function (url) => list',
  );
  return {
    pattern,
    inProcess,
    forward: forward.map((name) => name.toLowerCase()),
    timeoutMs,
    retries,
    cache: resolveCache(`${path}.cache`, cache),
    dedupe,
    tags,
    maxBytes,
    concurrency: concurrency ?? Number.POSITIVE_INFINITY,
    maxQueued,
  };
}

/** Whether these can be tags: strings without spaces and commas, which separate tags in Cache-Tag. */
export function isTagList(tags: unknown): tags is readonly string[] {
  return isList(tags, (tag) => typeof tag === 'string' && TAG.test(tag));
}

const TAG = /^[^\s,\x00-\x1f\x7f]+$/;

function resolveCache(
  path: string,
  cache: NonNullable<CallRule['cache']>,
): CallCacheRule | undefined {
  if (cache === false) return undefined;
  if (cache === 'shared') return {};
  check(path, cache, isOptionObject(cache), "'shared', false or an object of lifetimes");
  checkNames(path, cache, CACHE_NAMES);
  const { vary, ...seconds } = cache;
  for (const [name, value] of Object.entries(seconds)) {
    if (value !== undefined) checkCount(`${path}.${name}`, value, 0, 'seconds');
  }
  if (vary === undefined) return cache;
  checkNames(`${path}.vary`, vary, VARY_NAMES);
  const { headers = [], cookies = [] } = vary;
  checkList(`${path}.vary.headers`, headers, isFieldName, 'a list of field names');
  checkList(`${path}.vary.cookies`, cookies, isCookieName, 'a list of cookie names');
  return { ...cache, vary: { headers: headers.map((name) => name.toLowerCase()), cookies } };
}

function checkList(
  path: string,
  names: readonly string[],
  isName: (name: unknown) => boolean,
  allowed: string,
): void {
  check(path, names, Array.isArray(names), allowed);
  for (const name of names) check(path, name, isName(name), allowed);
}

function isCookieName(name: unknown): boolean {
  return typeof name === 'string' && /^[!#-+\--:<-~]+$/.test(name) && !name.includes('=');
}

function checkFields(path: string, names: readonly string[]): void {
  check(path, names, Array.isArray(names), 'a list of request fields');
  for (const name of names) {
    const isAllowed = isFieldName(name) && !NEVER_FORWARDED.has(name.toLowerCase());
    check(
      path,
      name,
      isAllowed,
      'names of request fields, except those of the connection and the content',
    );
  }
}

function checkNames(path: string, options: object, known: readonly string[]): void {
  check(path, options, isOptionObject(options), `an object with ${known.join(', ')}`);
  assertKnownOptions(options, known, path);
}
