import { type CommandParser, defineScript } from '@redis/client';
import { MAGIC } from './entry-format.ts';

/** How far the version of a purge may be ahead of the clock of Redis: purges come faster than that never. */
export const MAX_VERSION_AHEAD_MS = 24 * 60 * 60 * 1000;

/*
 * The version of a purge is the time in milliseconds, or one more than the last: it grows even when
 * Redis has lost the last one. What is far ahead of the time is no version, or no purge would come
 * behind it any more. Numbers are written whole: Lua would round what has 14 digits.
 */
const NUMBERS = `
local function whole(number) return string.format('%.0f', number) end
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local limit = nowMs + ${MAX_VERSION_AHEAD_MS}
local function toVersion(text)
  local number = tonumber(text or '0') or 0
  if number >= 0 and number <= limit and number % 1 == 0 then return number end
  return 0
end
`;

/*
 * Replies the version of the latest purge. Where it, or one of those kept, is no version, nobody
 * knows which purges there were. The first write takes no memory: behind one of that kind, a script
 * may go on writing in a Redis that is full, and purges must arrive there too.
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

/** How many purges are kept: the older half of more becomes one purge of everything. */
export const MAX_PURGES = 10_000;
/** No entry is kept longer: a purge must outlive every entry that it may concern. */
export const MAX_ENTRY_MS = 7 * 24 * 60 * 60 * 1000;
/** With a day for renders that began before the purge. */
export const PURGE_LIFETIME_MS = MAX_ENTRY_MS + 24 * 60 * 60 * 1000;

/**
 * Keeps an entry unless a newer one is there: of a later purge, or of the same and generated later.
 * A header that cannot be true (a purge to come, a key that ends too late or never) does not count.
 * Of the pages of one path, those that were stored first make room.
 */
const setUnlessNewer = defineScript({
  SCRIPT: `${NUMBERS}
local header = redis.pcall('GETRANGE', KEYS[1], 0, 31)
local magic = string.sub(ARGV[1], 1, ${MAGIC.length})
if type(header) == 'string' and #header == 32 and string.sub(header, 1, #magic) == magic then
  local version, lifeMs = struct.unpack('>dd', string.sub(ARGV[1], 17, 32))
  local otherVersion, otherLifeMs = struct.unpack('>dd', string.sub(header, 17, 32))
  local leftMs = redis.call('PTTL', KEYS[1])
  local latest = math.max(version, toVersion(redis.call('GET', KEYS[2])))
  if otherVersion <= latest and leftMs >= 0 and leftMs <= otherLifeMs then
    if otherVersion > version then return 0 end
    if otherVersion == version and otherLifeMs - leftMs < lifeMs - ARGV[2] then return 0 end
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if KEYS[3] then
  redis.call('ZADD', KEYS[3], whole(nowMs), KEYS[1])
  local tooMany = redis.call('ZCARD', KEYS[3]) - ARGV[3]
  if tooMany > 0 then
    local oldest = redis.call('ZPOPMIN', KEYS[3], tooMany)
    for i = 1, #oldest, 2 do redis.call('UNLINK', oldest[i]) end
  end
  if redis.call('PTTL', KEYS[3]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[3], ARGV[2]) end
end
return 1`,
  parseCommand(
    parser,
    keys: readonly string[],
    value: Buffer,
    lifetimeMs: number,
    maxPagesPerPath: number,
  ) {
    parser.push(String(keys.length));
    parser.pushKeys([...keys]);
    parser.push(value, String(lifetimeMs), String(maxPagesPerPath));
  },
  transformReply: (reply: number) => reply === 1,
});

const PURGE = `${NUMBERS}${LATEST}
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
return { whole(before), whole(version) }`;

/** How both scripts of purges are called; the second has the key of a path besides. */
const PURGE_CALL = {
  parseCommand(
    parser: CommandParser,
    keys: readonly [latest: string, purges: string, ...path: string[]],
    target: string,
    channel: string,
    sender: string,
    known: number,
    everything: string,
    lost: string,
  ): void {
    parser.pushKeys([...keys]);
    parser.push(target, channel, sender, String(known), everything, lost);
  },
  transformReply: (reply: string[]) => reply,
};

/** Orders a purge after all others, keeps it and publishes it. Replies the version before and its own. */
const purge = defineScript({
  SCRIPT: PURGE,
  NUMBER_OF_KEYS: 2,
  ...PURGE_CALL,
});

/** The same where there may be pages of a path; replies nothing where there are none. */
const purgePath = defineScript({
  // Used, so that a Redis which evicts keeps it while pages are.
  SCRIPT: `if redis.call('TOUCH', KEYS[3]) == 0 then return {} end
${PURGE}`,
  NUMBER_OF_KEYS: 3,
  ...PURGE_CALL,
});

/** Notes that there may be pages of a path, for no less than so long. */
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
 * Replies the version of the latest purge, whether the latest that this process knows is `known` to
 * Redis or `lost`, the time in milliseconds, and target and version of all purges from a version on.
 * Where Redis has lost some, and this process did not know them either, it says so with a record of
 * its own.
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

/** Gives Redis back the purges it has lost (a restart, a failover), and has all processes read them. */
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

/** What stands in a lease's place where answers are for one reader each. */
const UNSHARED = 'unshared';
export const MAX_UNSHARED_MS = 60_000;

/**
 * Takes a lease that nobody has, and notes that there will be a page of its path. One that runs out later than any lease does, or never (PERSIST, a
 * clock that was set back), is given an end: its holder renews it, and a dead one keeps it no longer.
 */
const takeLease = defineScript({
  SCRIPT: `if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[4]) then redis.call('SET', KEYS[2], '', 'PX', ARGV[4]) end
  return 1
end
local isUnshared = redis.pcall('GET', KEYS[1]) == '${UNSHARED}'
local leftMs = redis.call('PTTL', KEYS[1])
local mostMs = isUnshared and ${MAX_UNSHARED_MS} or tonumber(ARGV[3])
if leftMs < 0 or leftMs > mostMs then redis.call('PEXPIRE', KEYS[1], mostMs) end
return isUnshared and 2 or 0`,
  NUMBER_OF_KEYS: 2,
  parseCommand(
    parser,
    keys: readonly [lease: string, path: string],
    token: string,
    lifetimeMs: number,
    mostMs: number,
    renderMs: number,
  ) {
    parser.pushKeys([...keys]);
    parser.push(token, String(lifetimeMs), String(mostMs), String(renderMs));
  },
  transformReply: (reply: number) => (reply === 1 ? 'granted' : reply === 2 ? 'unshared' : 'taken'),
});

/** Has a lease run out later, unless it has run out and is another's by now. */
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
 * Ends a lease, unless it has run out and is another's by now. With a time, what stands there for so
 * long says that the page is for one reader alone.
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
  purgePath,
  notePath,
  readPurges,
  restorePurges,
  takeLease,
  renewLease,
  releaseLease,
};
