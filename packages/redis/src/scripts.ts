import { defineScript } from '@redis/client';
import { MAGIC } from './entry-format.ts';

/*
 * The version of a purge is the time in milliseconds, or one more than the last: it grows even when
 * Redis has lost the last one. Numbers are written whole: Lua would round what has 14 digits.
 */
const NUMBERS = `
local function whole(number) return string.format('%.0f', number) end
local function number(text) return tonumber(text or '0') or 0 end
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** How many purges are kept: the older half of more becomes one purge of everything. */
export const MAX_PURGES = 10_000;
/** No entry is kept longer: a purge must outlive every entry that it may concern. */
export const MAX_ENTRY_MS = 7 * 24 * 60 * 60 * 1000;
/** With a day for renders that began before the purge. */
export const PURGE_LIFETIME_MS = MAX_ENTRY_MS + 24 * 60 * 60 * 1000;

/**
 * Keeps an entry unless a newer one is there: of a later purge, or of the same and generated later.
 * A header that cannot be true (a date to come, a purge to come) does not count.
 */
const setUnlessNewer = defineScript({
  SCRIPT: `${NUMBERS}
local header = redis.pcall('GETRANGE', KEYS[1], 0, 31)
local magic = string.sub(ARGV[1], 1, ${MAGIC.length})
if type(header) == 'string' and #header == 32 and string.sub(header, 1, #magic) == magic then
  local version, dateMs = struct.unpack('>dd', string.sub(ARGV[1], 17, 32))
  local otherVersion, otherDateMs = struct.unpack('>dd', string.sub(header, 17, 32))
  local latest = math.max(version, number(redis.call('GET', KEYS[2])))
  if otherVersion <= latest and otherDateMs <= nowMs + 300000 then
    if otherVersion > version then return 0 end
    if otherVersion == version and otherDateMs > dateMs then return 0 end
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`,
  NUMBER_OF_KEYS: 2,
  parseCommand(parser, pageKey: string, latestKey: string, value: Buffer, lifetimeMs: number) {
    parser.pushKeys([pageKey, latestKey]);
    parser.push(value, String(lifetimeMs));
  },
  transformReply: (reply: number) => reply === 1,
});

/** Orders a purge behind all others, keeps it and publishes it. Replies the version before and its own. */
const purge = defineScript({
  SCRIPT: `${NUMBERS}
local before = number(redis.call('GET', KEYS[1]))
local version = math.max(before + 1, number(ARGV[4]) + 1, nowMs)
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
  ) {
    parser.pushKeys([...keys]);
    parser.push(target, channel, sender, String(known), everything);
  },
  transformReply: (reply: string[]) => reply,
});

/**
 * Replies the version of the latest purge, whether the latest that this process knows is `known` to
 * Redis or `lost`, and target and version of all purges from a version on. Where Redis has lost some, and this process did not know them either, it
 * says so with a record of its own.
 */
const readPurges = defineScript({
  SCRIPT: `${NUMBERS}
local latest = number(redis.call('GET', KEYS[1]))
local newest = number(redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2])
local known = number(ARGV[2])
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
local reply = { whole(latest), isKnown and 'known' or 'lost' }
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
local latest = number(redis.call('GET', KEYS[1]))
for i = 2, #ARGV, 2 do
  redis.call('ZADD', KEYS[2], 'GT', ARGV[i], ARGV[i + 1])
  latest = math.max(latest, number(ARGV[i]))
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

/** Ends a lease, unless it has run out and is another's by now. */
const releaseLease = defineScript({
  SCRIPT: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, leaseKey: string, token: string) {
    parser.pushKey(leaseKey);
    parser.push(token);
  },
  transformReply: undefined as unknown as () => void,
});

export const scripts = {
  setUnlessNewer,
  purge,
  readPurges,
  restorePurges,
  renewLease,
  releaseLease,
};
