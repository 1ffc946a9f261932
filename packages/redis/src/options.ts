import { assertKnownOptions, check } from '@ng-ssr/core/store';
import { RedisClient, type RedisClientOptions } from '@redis/client';

/** How a store connects to Redis, and its limits. */
export interface RedisPageStoreOptions {
  /**
   * The URL of Redis: `redis://`, `rediss://` (TLS) or `unix://`, with user, password and database.
   * Default: REDIS_URL, else `redis://localhost:6379`.
   */
  readonly url?: string | undefined;
  /** The prefix of every key. Default: `ng-ssr`. */
  readonly prefix?: string | undefined;
  /** The longest wait of a page for Redis. In milliseconds; default 50. */
  readonly timeoutMs?: number | undefined;
  /** Larger entries are not shared. In bytes, fields included; default 2 MiB. */
  readonly maxEntryBytes?: number | undefined;
  /**
   * The most pages of one path that are shared, besides the one without query and variant: clients
   * choose queries. The page stored first is dropped first. Default 500.
   */
  readonly maxPagesPerPath?: number | undefined;
  /**
   * The time a process has to render a page that others wait for. In milliseconds; default 10 000.
   * If it dies meanwhile, others wait for two seconds at most.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Options for `createClient` of @redis/client: certificates in `socket`, a `credentialsProvider`. Default: those of
   * the URL.
   */
  readonly client?:
    | Pick<RedisClientOptions, 'socket' | 'credentialsProvider' | 'username' | 'password'>
    | undefined;
}

/** Options with every default filled in. */
export type ResolvedOptions = {
  readonly [name in keyof RedisPageStoreOptions]-?: Exclude<RedisPageStoreOptions[name], undefined>;
};

const OPTION_NAMES: readonly (keyof RedisPageStoreOptions)[] = [
  'url',
  'prefix',
  'timeoutMs',
  'maxEntryBytes',
  'maxPagesPerPath',
  'leaseMs',
  'client',
];
const CLIENT_OPTION_NAMES = ['socket', 'credentialsProvider', 'username', 'password'];

const DEFAULT_URL = 'redis://localhost:6379';

// The limits of a Redis value, and of a timer of Node.
const MAX_VALUE_BYTES = 512 * 1024 * 1024;
const MAX_TIMER_MS = 2 ** 31 - 1;

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
  check(
    `${factory}()`,
    shown,
    typeof options === 'object' && options !== null,
    "an object of options, as in { url: 'redis://localhost:6379' }",
  );
  assertKnownOptions(options, OPTION_NAMES, factory);
  const { prefix = 'ng-ssr', client = {} } = options;
  check(
    `${factory}.prefix`,
    prefix,
    typeof prefix === 'string' && prefix !== '',
    'a name for the keys',
  );
  check(
    `${factory}.client`,
    typeof client === 'string' ? '…' : client,
    typeof client === 'object' && client !== null,
    'an object',
  );
  assertKnownOptions(client, CLIENT_OPTION_NAMES, `${factory}.client`);
  const url = resolveUrl(`${factory}.url`, options.url);
  const { tls } = (client.socket ?? {}) as { tls?: unknown };
  const isTls = RedisClient.parseURL(url).socket?.tls === true;
  const isAlike = tls === undefined || tls === isTls;
  check(`${factory}.client.socket.tls`, tls, isAlike, `${isTls}, as url says`);
  type Count = 'timeoutMs' | 'maxEntryBytes' | 'maxPagesPerPath' | 'leaseMs';
  const number = (name: Count, defaultValue: number, max: number): number =>
    resolveNumber(`${factory}.${name}`, options[name], defaultValue, max);
  return {
    url,
    prefix,
    client,
    timeoutMs: number('timeoutMs', 50, MAX_TIMER_MS),
    maxEntryBytes: number('maxEntryBytes', 2 * 1024 * 1024, MAX_VALUE_BYTES),
    maxPagesPerPath: number('maxPagesPerPath', 500, 1_000_000),
    leaseMs: number('leaseMs', 10_000, MAX_TIMER_MS),
  };
}

function resolveUrl(name: string, url: string | undefined): string {
  const source = url === undefined ? 'REDIS_URL' : name;
  // Many deployments use an empty variable for none.
  const resolved = url ?? (process.env['REDIS_URL'] || DEFAULT_URL);
  const isText = typeof resolved === 'string';
  check(source, typeof resolved === 'object' ? 'an object' : resolved, isText, 'a URL as a string');
  check(
    source,
    withoutCredentials(resolved),
    isRedisUrl(resolved),
    'a URL with redis://, rediss:// or unix://',
  );
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

function resolveNumber(
  name: string,
  value: number | undefined,
  defaultValue: number,
  max: number,
): number {
  if (value === undefined) return defaultValue;
  const isAllowed = Number.isSafeInteger(value) && value >= 1 && value <= max;
  check(name, value, isAllowed, `a whole number from 1 to ${max}`);
  return value;
}
