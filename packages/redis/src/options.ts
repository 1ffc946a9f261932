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
import { type Address, parseAddress, showAddress } from './servers.ts';

/** Options of `redisPageStore()`. */
export interface RedisPageStoreOptions {
  /**
   * `redis://`, `rediss://` (TLS) or `unix://`, with user, password and database. Default: REDIS_URL, else
   * `redis://localhost:6379`.
   */
  readonly url?: string | undefined;
  /**
   * Some servers of a Redis Cluster, as `host:port`; the others are found. It replaces `url`: give user, password and TLS
   * with `client`. Default: none.
   */
  readonly cluster?: readonly string[] | undefined;
  /** Sentinels that know the primary. It replaces `url`, as `cluster` does. Default: none. */
  readonly sentinel?: RedisSentinelOptions | undefined;
  /** Prefix of all keys, without braces. Default: `ng-ssr`. */
  readonly prefix?: string | undefined;
  /** How long a page waits for Redis. Default: 50. */
  readonly timeoutMs?: number | undefined;
  /** Larger pages, with their headers, are not shared. Default: 2 MiB. */
  readonly maxEntryBytes?: number | undefined;
  /** Maximum queries and variants of one path; the oldest is removed first. Default: 500. */
  readonly maxPagesPerPath?: number | undefined;
  /** How long other processes wait for a render of the same page, at most 10 s. Default: 10,000. */
  readonly leaseMs?: number | undefined;
  /** For `createClient` of @redis/client, such as `socket` for certificates. Default: none. */
  readonly client?:
    | Pick<RedisClientOptions, 'socket' | 'credentialsProvider' | 'username' | 'password'>
    | undefined;
}

/** Option `sentinel` of `redisPageStore()`. */
export interface RedisSentinelOptions {
  /** The name of the primary in the configuration of the Sentinels. */
  readonly name: string;
  /** All Sentinels, as `host:port`. */
  readonly nodes: readonly string[];
  /** As `client`, for connections to the Sentinels. Default: none. */
  readonly client?:
    | Pick<RedisClientOptions, 'socket' | 'credentialsProvider' | 'username' | 'password'>
    | undefined;
}

type Given = Omit<RedisPageStoreOptions, 'cluster' | 'sentinel'>;

/** Options with every default filled in. */
export type ResolvedOptions = {
  readonly [name in keyof Given]-?: Exclude<Given[name], undefined>;
} & {
  readonly cluster: readonly Address[] | undefined;
  readonly sentinel: ResolvedSentinel | undefined;
};

export interface ResolvedSentinel {
  readonly name: string;
  readonly nodes: readonly Address[];
  readonly client: ResolvedOptions['client'];
}

/** Options of which one is given. */
const PLACES = ['url', 'cluster', 'sentinel'] as const;

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

const addresses: Option<readonly Address[]> = (name, given) => {
  const list: unknown[] = Array.isArray(given) ? given : [];
  const parsed = list.map((each) => (typeof each === 'string' ? parseAddress(each) : undefined));
  const isRight = parsed.length > 0 && parsed.every((each) => each !== undefined);
  // In a URL there may be a password.
  const isShown = Array.isArray(given) && list.every((each) => !/[@/]/.test(String(each)));
  check(name, isShown ? given : '…', isRight, "a list of addresses, as in ['redis.example:6379']");
  return parsed as Address[];
};

const sentinelGroup = group<ResolvedSentinel>({
  name: option<string>((given) => typeof given === 'string' && given !== '', 'a name'),
  nodes: addresses,
  client: withDefault(client, {}),
});

const sentinel: Option<ResolvedSentinel> = (name, given) =>
  sentinelGroup(name, typeof given === 'string' ? '…' : given);

const resolveGroup = group<ResolvedOptions>({
  url,
  cluster: withDefault<ResolvedOptions['cluster']>(addresses, undefined),
  sentinel: withDefault<ResolvedOptions['sentinel']>(sentinel, undefined),
  prefix: withDefault(
    option<string>(
      (given) => typeof given === 'string' && given !== '' && !/[{}]/.test(given),
      'a name for the keys, without braces',
    ),
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
  const places = PLACES.filter((name) => options[name] !== undefined);
  check(`${factory}.${places[1]}`, '…', places.length < 2, `nothing beside ${places[0]}`);
  const isFound = places[0] === 'cluster' || places[0] === 'sentinel';
  const resolved = resolveGroup(factory, isFound ? { ...options, url: DEFAULT_URL } : options);
  if (isFound) return resolved;
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

/** Longer than for a look-up: no page waits for a purge, and purges must arrive. */
export function purgeTimeoutMs({ timeoutMs }: Pick<ResolvedOptions, 'timeoutMs'>): number {
  return Math.max(1_000, timeoutMs);
}

/** The number of the database that a URL names. */
export function databaseOf(url: string): number {
  return RedisClient.parseURL(url).database ?? 0;
}

/** Where Redis is, for messages. */
export function describeServers({
  url,
  cluster,
  sentinel,
}: Pick<ResolvedOptions, 'url' | 'cluster' | 'sentinel'>): string {
  const nodes = (cluster ?? sentinel?.nodes ?? []).map(showAddress).join(', ');
  if (cluster !== undefined) return `Redis Cluster at ${nodes}`;
  if (sentinel === undefined) return describeServer(url);
  return `Redis, the primary ${JSON.stringify(sentinel.name)} of the Sentinels at ${nodes},`;
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
