import {
  assertKnownOptions,
  check,
  group,
  option,
  type Option,
  wholeNumber,
  withDefault,
} from '@ng-ssr/core/store';
import { RedisClient, type RedisClientOptions } from '@redis/client';

/** Options of `redisPageStore()`. */
export interface RedisPageStoreOptions {
  /**
   * The URL: `redis://`, `rediss://` (TLS) or `unix://`, with user, password and database. Default: REDIS_URL, else
   * `redis://localhost:6379`.
   */
  readonly url?: string | undefined;
  /** Prefix of all keys. Default: `ng-ssr`. */
  readonly prefix?: string | undefined;
  /** Milliseconds a page waits for Redis. Default: 50. */
  readonly timeoutMs?: number | undefined;
  /** Larger pages are not shared. In bytes, headers included. Default: 2 MiB. */
  readonly maxEntryBytes?: number | undefined;
  /**
   * Maximum number of pages of one path, for different queries and variants. The oldest is removed first. Default: 500.
   */
  readonly maxPagesPerPath?: number | undefined;
  /** Milliseconds other processes wait for a render of the same page. Default: 10,000. */
  readonly leaseMs?: number | undefined;
  /** Options for `createClient` of @redis/client, such as `socket` for certificates. Default: the options in the URL. */
  readonly client?:
    | Pick<RedisClientOptions, 'socket' | 'credentialsProvider' | 'username' | 'password'>
    | undefined;
}

/** Options with every default filled in. */
export type ResolvedOptions = {
  readonly [name in keyof RedisPageStoreOptions]-?: Exclude<RedisPageStoreOptions[name], undefined>;
};

const CLIENT_OPTION_NAMES = ['socket', 'credentialsProvider', 'username', 'password'];

const DEFAULT_URL = 'redis://localhost:6379';

// The limits of a Redis value, and of a timer of Node.
const MAX_VALUE_BYTES = 512 * 1024 * 1024;
const MAX_TIMER_MS = 2 ** 31 - 1;

const url: Option<string> = (option, given) => {
  const name = given === undefined ? 'REDIS_URL' : option;
  // Many deployments use an empty variable for none.
  const resolved = given ?? (process.env['REDIS_URL'] || DEFAULT_URL);
  const isText = typeof resolved === 'string';
  check(name, typeof resolved === 'object' ? 'an object' : resolved, isText, 'a URL as a string');
  const shown = withoutCredentials(resolved as string);
  check(name, shown, isRedisUrl(resolved as string), 'a URL with redis://, rediss:// or unix://');
  return resolved as string;
};

const client: Option<ResolvedOptions['client']> = (name, given) => {
  const shown = typeof given === 'string' ? '…' : given;
  check(name, shown, typeof given === 'object' && given !== null, 'an object');
  assertKnownOptions(given as object, CLIENT_OPTION_NAMES, name);
  return given as ResolvedOptions['client'];
};

const resolveGroup = group<ResolvedOptions>({
  url,
  prefix: withDefault(
    option<string>((given) => typeof given === 'string' && given !== '', 'a name for the keys'),
    'ng-ssr',
  ),
  timeoutMs: withDefault(wholeNumber(1, MAX_TIMER_MS), 50),
  maxEntryBytes: withDefault(wholeNumber(1, MAX_VALUE_BYTES), 2 * 1024 * 1024),
  maxPagesPerPath: withDefault(wholeNumber(1, 1_000_000), 500),
  leaseMs: withDefault(wholeNumber(1, MAX_TIMER_MS), 10_000),
  client: withDefault(client, {}),
});

/**
 * Checks the options and fills in defaults.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`, naming the option, the
 * value received and what is allowed.
 */
export function resolveOptions(
  options: RedisPageStoreOptions,
  factory = 'redisPageStore',
): ResolvedOptions {
  const shown = typeof options === 'string' ? withoutCredentials(options) : options;
  const isObject = typeof options === 'object' && options !== null;
  const allowed = "an object of options, as in { url: 'redis://localhost:6379' }";
  check(`${factory}()`, shown, isObject, allowed);
  const resolved = resolveGroup(factory, options);
  const { tls } = (resolved.client.socket ?? {}) as { tls?: unknown };
  const isTls = RedisClient.parseURL(resolved.url).socket?.tls === true;
  const isAlike = tls === undefined || tls === isTls;
  check(`${factory}.client.socket.tls`, tls, isAlike, `${isTls}, as url says`);
  return resolved;
}

function isRedisUrl(url: string): boolean {
  try {
    RedisClient.parseURL(url);
    return true;
  } catch {
    return false;
  }
}

/** The number of the database that a URL names. */
export function databaseOf(url: string): number {
  return RedisClient.parseURL(url).database ?? 0;
}

/** A server for messages. In production a variable that is missing is the likely reason for the default. */
export function describeServer(url: string): string {
  const why = url === DEFAULT_URL ? ', the default without REDIS_URL,' : '';
  return `Redis at ${withoutCredentials(url)}${why}`;
}

/** A URL for messages. Of a malformed one only the scheme is shown: the password could be anywhere in it. */
export function withoutCredentials(url: string): string {
  const shown = SHOWN_URL.exec(url);
  if (shown !== null && isRedisUrl(url)) return `${shown[1]}${shown[2]}`;
  return `${/^(?:rediss?|unix|https?):/i.exec(url)?.[0] ?? ''}…`;
}

/** Captures the scheme and the part after the credentials: host, port and database, or a socket's path. */
const SHOWN_URL =
  /^(rediss?:\/\/|unix:\/\/)(?:[^@]*@)?((?:[\w.-]+|\[[\da-f:]+\])?(?::\d+)?(?:\/\d*)?|\/[^@?#]*)(?:[?#].*)?$/is;
