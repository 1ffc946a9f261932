import { MAGIC, MAX_ENTRY_MS, MAX_PURGES, MAX_UNSHARED_MS } from '@ng-ssr/core/store';
import { defineScript } from '@redis/client';

/** How far a purge's version may be ahead of the clock of Redis: purges are never that frequent. */
export const MAX_VERSION_AHEAD_MS = 24 * 60 * 60 * 1000;

/*
 * The version of a purge is the time in milliseconds, or one more than the last: it grows even if
 * Redis has lost the last one. A number far ahead of the time is invalid, because no later purge could
 * exceed it. Numbers are formatted as integers: Lua would round those of more than 14 digits.
 */
const NUMBERS = `
local function whole(number) return string.format('%.0f', number) end
local time = redis.call('TIME')
local nowUs = time[1] * 1000000 + time[2]
local nowMs = math.floor(nowUs / 1000)
local limit = nowMs + ${MAX_VERSION_AHEAD_MS}
local function toVersion(text)
  local number = tonumber(text or '0') or 0
  if number >= 0 and number <= limit and number % 1 == 0 then return number end
  return 0
end
`;

/*
 * Replies with the version of the latest purge. If that or a kept one is invalid, purges may be missing,
 * and a record of lost purges is added. The first write needs no memory: after such a write, a script
 * may continue writing to a full Redis, and purges must arrive there too.
 */
const LATEST = `
local function latestVersion(latestKey, purgesKey, lost)
  local dropped = redis.call('ZREMRANGEBYSCORE', purgesKey, '(' .. whole(limit), '+inf')
  local text = redis.call('GET', latestKey)
  local latest = toVersion(text)
  if dropped == 0 and (not text or tonumber(text) == latest) then return latest end
  local newest = toVersion(redis.call('ZREVRANGE', purgesKey, 0, 0, 'WITHSCORES')[2])
  latest = math.max(nowMs, newest + 1)
  redis.call('ZADD', purgesKey, whole(latest), lost)
  redis.call('SET', latestKey, whole(latest))
  return latest
end
`;

/**
 * A purge must outlive every entry to which it may apply: one more day than entries, for renders that began
 * before the purge.
 */
export const PURGE_LIFETIME_MS = MAX_ENTRY_MS + 24 * 60 * 60 * 1000;

/**
 * Stores an entry unless there is a newer one: after a later purge, or after the same purge and generated
 * later. An entry with an impossible header (a future purge, a key that expires too late or
 * never) is replaced. If a path has too many pages, it replies with the keys of those stored first, for the caller to
 * delete: scripts touch no keys that they are not given. They are listed by microseconds, since many are stored within a
 * millisecond.
 */
const setUnlessNewer = defineScript({
  SCRIPT: `${NUMBERS}
local header = redis.pcall('GETRANGE', KEYS[1], 0, 31)
local magic = string.sub(ARGV[1], 1, ${MAGIC.length})
if type(header) == 'string' and #header == 32 and string.sub(header, 1, #magic) == magic then
  local version, lifeMs = struct.unpack('>dd', string.sub(ARGV[1], 17, 32))
  local otherVersion, otherLifeMs = struct.unpack('>dd', string.sub(header, 17, 32))
  local leftMs = redis.call('PTTL', KEYS[1])
  local latest = math.max(version, toVersion(ARGV[4]), nowMs)
  if otherVersion <= latest and leftMs >= 0 and leftMs <= otherLifeMs then
    if otherVersion > version then return {} end
    if otherVersion == version and otherLifeMs - leftMs < lifeMs - ARGV[2] then return {} end
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local dropped = {}
if KEYS[2] then
  redis.call('ZADD', KEYS[2], whole(nowUs), KEYS[1])
  local tooMany = redis.call('ZCARD', KEYS[2]) - ARGV[3]
  if tooMany > 0 then
    local oldest = redis.call('ZPOPMIN', KEYS[2], tooMany)
    for i = 1, #oldest, 2 do dropped[#dropped + 1] = oldest[i] end
  end
  if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
end
return dropped`,
  parseCommand(
    parser,
    keys: readonly string[],
    value: Buffer,
    lifetimeMs: number,
    maxPagesPerPath: number,
    known: number,
  ) {
    parser.push(String(keys.length));
    parser.pushKeys([...keys]);
    parser.push(value, String(lifetimeMs), String(maxPagesPerPath), String(known));
  },
  transformReply: (reply: string[]) => reply,
});

/** Orders a purge after all others, stores and publishes it. Replies with the version before and its own. */
const purge = defineScript({
  SCRIPT: `${NUMBERS}${LATEST}
local before = latestVersion(KEYS[1], KEYS[2], ARGV[6])
local version = math.max(before + 1, toVersion(ARGV[4]) + 1, nowMs)
redis.call('ZADD', KEYS[2], whole(version), ARGV[1])
redis.call('SET', KEYS[1], whole(version), 'PX', ${PURGE_LIFETIME_MS})
redis.call('PEXPIRE', KEYS[2], ${PURGE_LIFETIME_MS})
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', whole(nowMs - ${PURGE_LIFETIME_MS}))
if redis.call('ZCARD', KEYS[2]) > ${MAX_PURGES} then
  local dropped = redis.call('ZPOPMIN', KEYS[2], ${MAX_PURGES / 2})
  redis.call('ZADD', KEYS[2], 'GT', dropped[#dropped], ARGV[5])
end
redis.call('PUBLISH', ARGV[2], cjson.encode({ whole(before), whole(version), ARGV[3], ARGV[1] }))
return { whole(before), whole(version) }`,
  NUMBER_OF_KEYS: 2,
  parseCommand(
    parser,
    keys: readonly [latest: string, purges: string],
    target: string,
    channel: string,
    sender: string,
    known: number,
    everything: string,
    lost: string,
  ) {
    parser.pushKeys([...keys]);
    parser.push(target, channel, sender, String(known), everything, lost);
  },
  transformReply: (reply: string[]) => reply,
});

/** Notes that there may be pages of a path, for at least this lifetime. */
const notePath = defineScript({
  SCRIPT: `if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end`,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, path: string, lifetimeMs: number) {
    parser.pushKey(path);
    parser.push(String(lifetimeMs));
  },
  transformReply: undefined as unknown as () => void,
});

/**
 * Replies with the version of the latest purge, whether the latest that this process knows is `known` to
 * Redis or `lost`, the time in milliseconds, and target and version of all purges from a version on.
 * If Redis has lost purges that this process does not know either, a record of lost purges is added.
 */
const readPurges = defineScript({
  SCRIPT: `${NUMBERS}${LATEST}
local latest = latestVersion(KEYS[1], KEYS[2], ARGV[3])
local newest = toVersion(redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2])
local known = toVersion(ARGV[2])
local before = latest
if latest == 0 and newest == 0 and known == 0 then
  latest = nowMs
  redis.call('ZADD', KEYS[2], whole(latest), ARGV[3])
elseif newest < latest and known < latest then
  redis.call('ZADD', KEYS[2], whole(latest), ARGV[3])
end
latest = math.max(latest, newest)
if latest ~= before then redis.call('SET', KEYS[1], whole(latest)) end
redis.call('PEXPIRE', KEYS[1], ${PURGE_LIFETIME_MS})
redis.call('PEXPIRE', KEYS[2], ${PURGE_LIFETIME_MS})
local isKnown = known == 0 or redis.call('ZCOUNT', KEYS[2], whole(known), whole(known)) > 0
local reply = { whole(latest), isKnown and 'known' or 'lost', whole(nowMs) }
for _, part in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], ARGV[1], '+inf', 'WITHSCORES')) do
  reply[#reply + 1] = part
end
return reply`,
  NUMBER_OF_KEYS: 2,
  parseCommand(
    parser,
    keys: readonly [latest: string, purges: string],
    from: number,
    known: number,
    lost: string,
  ) {
    parser.pushKeys([...keys]);
    parser.push(String(from), String(known), lost);
  },
  transformReply: (reply: string[]) => reply,
});

/** Restores purges that Redis has lost (a restart, a failover), and makes all processes read them. */
const restorePurges = defineScript({
  SCRIPT: `${NUMBERS}
redis.call('PEXPIRE', KEYS[2], ${PURGE_LIFETIME_MS})
local latest = toVersion(redis.call('GET', KEYS[1]))
for i = 2, #ARGV, 2 do
  redis.call('ZADD', KEYS[2], 'GT', ARGV[i], ARGV[i + 1])
  latest = math.max(latest, toVersion(ARGV[i]))
end
redis.call('SET', KEYS[1], whole(latest), 'PX', ${PURGE_LIFETIME_MS})
redis.call('PEXPIRE', KEYS[2], ${PURGE_LIFETIME_MS})
redis.call('PUBLISH', ARGV[1], '')`,
  NUMBER_OF_KEYS: 2,
  parseCommand(
    parser,
    keys: readonly [latest: string, purges: string],
    channel: string,
    records: Iterable<readonly [target: string, version: number]>,
  ) {
    parser.pushKeys([...keys]);
    parser.push(channel);
    for (const [target, version] of records) parser.push(String(version), target);
  },
  transformReply: undefined as unknown as () => void,
});

/** The value in place of a lease while a page's answers cannot be shared. */
const UNSHARED = 'unshared';

/**
 * Takes a free lease, and notes that there will be a page of its path if that key is given. A lease that expires too late or
 * never (PERSIST, a clock that was set back) gets the longest allowed lifetime: a live holder renews it,
 * and a dead one does not keep it longer.
 */
const takeLease = defineScript({
  SCRIPT: `if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if KEYS[2] and redis.call('PTTL', KEYS[2]) < tonumber(ARGV[4]) then
    redis.call('SET', KEYS[2], '', 'PX', ARGV[4])
  end
  return 1
end
local isUnshared = redis.pcall('GET', KEYS[1]) == '${UNSHARED}'
local leftMs = redis.call('PTTL', KEYS[1])
local mostMs = isUnshared and ${MAX_UNSHARED_MS} or tonumber(ARGV[3])
if leftMs < 0 or leftMs > mostMs then redis.call('PEXPIRE', KEYS[1], mostMs) end
return isUnshared and 2 or 0`,
  parseCommand(
    parser,
    keys: readonly [lease: string, path?: string],
    token: string,
    lifetimeMs: number,
    mostMs: number,
    noteMs: number,
  ) {
    parser.push(String(keys.length));
    parser.pushKeys(keys.filter((key) => key !== undefined));
    parser.push(token, String(lifetimeMs), String(mostMs), String(noteMs));
  },
  transformReply: (reply: number) => (reply === 1 ? 'granted' : reply === 2 ? 'unshared' : 'taken'),
});

/** Extends a lease, unless it has expired and another process holds it. */
const renewLease = defineScript({
  SCRIPT: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, leaseKey: string, token: string, lifetimeMs: number) {
    parser.pushKey(leaseKey);
    parser.push(token, String(lifetimeMs));
  },
  transformReply: undefined as unknown as () => void,
});

/**
 * Ends a lease, unless it has expired and another process holds it. With a time, the key then marks the
 * page as unshared for that time.
 */
const releaseLease = defineScript({
  SCRIPT: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return end
redis.call('DEL', KEYS[1])
if tonumber(ARGV[2]) > 0 then redis.pcall('SET', KEYS[1], '${UNSHARED}', 'PX', ARGV[2]) end`,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, leaseKey: string, token: string, unsharedMs: number) {
    parser.pushKey(leaseKey);
    parser.push(token, String(unsharedMs));
  },
  transformReply: undefined as unknown as () => void,
});

export const scripts = {
  setUnlessNewer,
  purge,
  notePath,
  readPurges,
  restorePurges,
  takeLease,
  renewLease,
  releaseLease,
};
