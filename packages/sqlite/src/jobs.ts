import { EVERYTHING, MAX_PURGES, MAX_UNSHARED_MS, LIFE_SIGN_MS } from '@ng-ssr/core/store';
import type { Bounds } from './bounds.ts';
import { PAGE_BYTES } from './bounds.ts';
import type { Job, Step } from './thread-program.ts';

/** The token of a lease while a page's answers cannot be shared. */
export const UNSHARED = 'unshared';

/** Builds without a process for this time have left: their entries are removed. */
const BUILD_LIFE_MS = 60 * 60 * 1000;
const MOST_SWEPT = 200;
const MOST_EVICTED = 32;
const MOST_VACUUMED = 64;

const USED_PAGES = `((SELECT page_count FROM pragma_page_count()) - (SELECT freelist_count FROM pragma_freelist_count()))`;
const VERSION = `(SELECT value FROM facts WHERE name = 'version')`;
const SELECT_VERSION: Step = [`SELECT ${VERSION} AS version`];
const SELECT_USED: Step = [`SELECT ${USED_PAGES} AS used`];

/** The purges after a version, and the version of the latest. */
const purgesAfter = (known: number): Step[] => [
  [`SELECT target, version, sender FROM purges WHERE version > ? ORDER BY version`, known],
  SELECT_VERSION,
];

/** Replies with the purges, and the version of the latest. */
export function readPurges(known: number): Job {
  return { kind: 'read', steps: purgesAfter(known) };
}

/**
 * A job reads the clock before it waits for the file: an entry that others have stored meanwhile is no entry of a time
 * to come. Longer than a job waits, and short for a page.
 */
const LATEST_MS = 5_000;

/**
 * Replies with the entry, and with the purges of the same state of the file. An entry that was stored later than now
 * is none: the clock was set back, so its age is unknown.
 */
export function readEntry(key: string, known: number, nowMs: number, maxBytes: number): Job {
  const entry = `SELECT entries.id, expires, used, value FROM entries JOIN bodies USING (id)
    WHERE key = ? AND stored - ${LATEST_MS} <= ? AND expires > ? AND length(value) <= ?`;
  return { kind: 'read', steps: [[entry, key, nowMs, nowMs, maxBytes], ...purgesAfter(known)] };
}

/** An entry to be stored. */
export interface NewEntry {
  readonly key: string;
  readonly build: string;
  readonly pathOfKey: string | null;
  /** The file of the version. */
  readonly fileId: string;
  readonly version: number;
  readonly bornAtMs: number;
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
  readonly value: Uint8Array;
}

/** How many pages of the file an entry takes, with what refers to it. */
export function pagesOf(value: Uint8Array): number {
  return Math.ceil((value.byteLength * 1.01) / PAGE_BYTES) + 4;
}

/**
 * Stores an entry unless there is a newer one: after a later purge, or after the same purge and generated later. An
 * entry that is not genuine (a version to come, a time to come) is replaced. Of a path with too many pages, those
 * stored first are dropped. Replies with the used pages of the file last.
 */
export function storeEntry(
  entry: NewEntry,
  { maxUsedPages }: Bounds,
  maxPagesPerPath: number,
): Job {
  const { key, build, pathOfKey, version, bornAtMs, storedAtMs, expiresAtMs, value } = entry;
  // In a file that has replaced the one of the version, other purges have its number.
  const upsert = `INSERT INTO entries (key, build, path_of_key, version, born, stored, expires, used)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?6 WHERE ${USED_PAGES} + ?8 <= ?9 AND ?10 = (SELECT value FROM facts WHERE name = 'file')
    ON CONFLICT (key) DO UPDATE SET build = ?2, path_of_key = ?3, version = ?4, born = ?5, stored = ?6, expires = ?7, used = ?6
    WHERE stored - ${LATEST_MS} > ?6 OR expires <= ?6 OR entries.version > ${VERSION} OR entries.version < ?4
      OR (entries.version = ?4 AND entries.born <= ?5)`;
  // The last statement has changed a row, so the entry is this one.
  const body = `INSERT OR REPLACE INTO bodies SELECT id, ?2 FROM entries WHERE key = ?1 AND changes() > 0`;
  const bound = `DELETE FROM entries WHERE id IN (
    SELECT id FROM entries WHERE path_of_key = ? ORDER BY stored DESC, id DESC LIMIT -1 OFFSET ?)`;
  return {
    kind: 'write',
    steps: [
      [
        upsert,
        ...[key, build, pathOfKey, version, bornAtMs, storedAtMs, expiresAtMs],
        ...[pagesOf(value), maxUsedPages, entry.fileId],
      ],
      [body, key, value],
      ...(pathOfKey === null ? [] : [[bound, pathOfKey, maxPagesPerPath] as const]),
      SELECT_USED,
    ],
  };
}

/** Notes that there may be pages of a path. */
export function notePath(path: string, untilMs: number): Step {
  return [
    `INSERT INTO paths VALUES (?1, ?2) ON CONFLICT (path) DO UPDATE SET until = ?2 WHERE until < ?2`,
    path,
    untilMs,
  ];
}

export function deleteEntry(key: string): Job {
  return { kind: 'write', steps: [[`DELETE FROM entries WHERE key = ?`, key]] };
}

/**
 * Orders a purge after all others and stores it. Replies with the purges after `known`, and the version of the latest.
 *
 * @param path - Without pages of this path nothing is done.
 */
export function storePurge(target: string, sender: string, known: number, path?: string): Job {
  const count = `UPDATE facts SET value = value + 1 WHERE name = 'version'`;
  const counted: Step =
    path === undefined
      ? [count]
      : [`${count} AND EXISTS (SELECT 1 FROM paths WHERE path = ?)`, path];
  const isTooMany = `(SELECT count(*) FROM purges) > ${MAX_PURGES}`;
  const older = `(SELECT max(version) FROM (SELECT version FROM purges ORDER BY version LIMIT ${MAX_PURGES / 2}))`;
  return {
    kind: 'durable',
    steps: [
      counted,
      [
        `INSERT INTO purges SELECT ?1, ${VERSION}, ?2 WHERE changes() > 0
        ON CONFLICT (target) DO UPDATE SET version = excluded.version, sender = excluded.sender`,
        target,
        sender,
      ],
      [
        `INSERT INTO purges SELECT ?, ${older}, '' WHERE ${isTooMany}
        ON CONFLICT (target) DO UPDATE SET version = max(version, excluded.version)`,
        EVERYTHING,
      ],
      [`DELETE FROM purges WHERE ${isTooMany} AND version <= ${older} AND target <> ?`, EVERYTHING],
      ...purgesAfter(known),
    ],
  };
}

/**
 * Takes a free lease, and notes that there will be a page of its path. A lease that expires too late (a clock that was
 * set back) gets the longest allowed lifetime: a live holder renews it, and a dead one does not keep it longer.
 * Replies with the token that has it.
 */
export function takeLease(
  key: string,
  token: string,
  nowMs: number,
  lifetimeMs: number,
  path: string,
  noteMs: number,
): Job {
  const [note, ...noted] = notePath(path, nowMs + noteMs);
  const most = `?2 + iif(token = '${UNSHARED}', ${MAX_UNSHARED_MS}, ${LIFE_SIGN_MS})`;
  return {
    kind: 'write',
    steps: [
      [`UPDATE leases SET until = ${most} WHERE key = ?1 AND until > ${most}`, key, nowMs],
      [
        `INSERT INTO leases VALUES (?1, ?2, ?3)
        ON CONFLICT (key) DO UPDATE SET token = ?2, until = ?3 WHERE until <= ?4`,
        ...[key, token, nowMs + lifetimeMs, nowMs],
      ],
      [note.replace('VALUES (?1, ?2)', 'SELECT ?1, ?2 WHERE changes() > 0'), ...noted],
      [`SELECT token FROM leases WHERE key = ?`, key],
    ],
  };
}

/** Extends a lease, unless it has expired and another process holds it. */
export function renewLease(key: string, token: string, untilMs: number): Job {
  const renew = `UPDATE leases SET until = ? WHERE key = ? AND token = ?`;
  return { kind: 'write', steps: [[renew, untilMs, key, token]] };
}

/**
 * Ends a lease, unless it has expired and another process holds it.
 *
 * @param unsharedUntilMs - Until when the page is marked as unshared; undefined if it is not.
 */
export function releaseLease(key: string, token: string, unsharedUntilMs?: number): Job {
  const step: Step =
    unsharedUntilMs === undefined
      ? [`DELETE FROM leases WHERE key = ? AND token = ?`, key, token]
      : [
          `UPDATE leases SET token = '${UNSHARED}', until = ? WHERE key = ? AND token = ?`,
          ...[unsharedUntilMs, key, token],
        ];
  return { kind: 'write', steps: [step] };
}

/** Notes that entries were used. */
export function noteUses(ids: readonly number[], nowMs: number): Job {
  const note = `UPDATE entries SET used = ? WHERE id IN (SELECT value FROM json_each(?))`;
  return { kind: 'write', steps: [[note, nowMs, JSON.stringify(ids)]] };
}

/**
 * Drops some entries used longest ago, as many as are in the way. Replies with those, and with the pages in use then.
 */
export function evict({ lowPages }: Bounds): Job {
  const oldest = `SELECT id, used, length(value) / ${PAGE_BYTES} + 1 AS pages
    FROM entries JOIN bodies USING (id) ORDER BY used, id LIMIT ${MOST_EVICTED}`;
  const summed = `SELECT id, sum(pages) OVER (ORDER BY used, id) - pages AS earlier FROM (${oldest})`;
  const drop = `DELETE FROM entries WHERE id IN (SELECT id FROM (${summed}) WHERE ${USED_PAGES} - earlier > ?)
    RETURNING id`;
  return { kind: 'write', steps: [[drop, lowPages], SELECT_USED] };
}

/** Gives some pages of a file back that is longer than it may be: `maxBytes` was larger. */
export function shrink({ maxPages }: Bounds): Job {
  return {
    kind: 'write',
    steps: [
      [`PRAGMA incremental_vacuum(${MOST_VACUUMED})`],
      [`PRAGMA max_page_count = ${maxPages}`],
    ],
  };
}

/** Copies the log into the file, which becomes shorter only then. */
export function checkpoint(): Job {
  return { kind: 'apart', steps: [[`PRAGMA wal_checkpoint(PASSIVE)`]] };
}

/** Replies with the length of the file and the used part of it, in pages. */
export function readSize(): Job {
  return {
    kind: 'read',
    steps: [[`SELECT page_count AS pages FROM pragma_page_count()`], SELECT_USED],
  };
}

/** Replies with the ids of the next entries after one, each with whether it can no longer be used. */
export function findUnusable(afterId: number, build: string, nowMs: number): Job {
  const find = `SELECT id, expires <= ?1
      OR (build <> ?2 AND build NOT IN (SELECT name FROM builds WHERE seen > ?1 - ${BUILD_LIFE_MS})) AS isUnusable
    FROM entries WHERE id > ?3 ORDER BY id LIMIT ${MOST_SWEPT}`;
  return { kind: 'read', steps: [[find, nowMs, build, afterId]] };
}

export function deleteEntries(ids: readonly number[]): Job {
  const sweep = `DELETE FROM entries WHERE id IN (SELECT value FROM json_each(?))`;
  return { kind: 'write', steps: [[sweep, JSON.stringify(ids)]] };
}

/** Notes that this build has a process, and forgets what has no meaning any more. */
export function renewBuild(build: string, nowMs: number, { maxPaths }: Bounds): Job {
  const tooMany = `SELECT path FROM paths ORDER BY until LIMIT max(0, (SELECT count(*) FROM paths) - ?)`;
  return {
    kind: 'write',
    steps: [
      [
        `INSERT INTO builds VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET seen = ?2`,
        build,
        nowMs,
      ],
      [`DELETE FROM builds WHERE seen <= ? - ${BUILD_LIFE_MS}`, nowMs],
      [`DELETE FROM leases WHERE until <= ?`, nowMs],
      [`DELETE FROM paths WHERE until <= ?`, nowMs],
      [`DELETE FROM paths WHERE path IN (${tooMany})`, maxPaths],
    ],
  };
}
