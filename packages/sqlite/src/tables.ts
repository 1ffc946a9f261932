/** "NGSR" in the header of SQLite's files. */
export const APPLICATION_ID = 0x4e475352;
/** One more with each change of the tables. */
export const TABLES_VERSION = 1;

const MOST_VERSION = Number.MAX_SAFE_INTEGER;

/**
 * The tables of a new file. Keys and paths are digests. Times are those of the machine's clock in milliseconds since
 * 1970, as far as nothing but an early end depends on them; the order of purges is that of their versions.
 *
 * - facts: the id of the file, and the version of its latest purge
 * - purges: each target once, with the version of its latest purge and the process that made it
 * - entries, bodies: an entry, and its value as `encodeEntry` writes it. Apart, so that a use is noted and an entry
 *   examined without its value.
 * - paths: there may be pages of a path, until that time
 * - leases: the token of a process that renders, or `unshared`, until that time
 * - builds: when a process of a build was last seen
 */
export const TABLES: readonly string[] = [
  `CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value ANY NOT NULL
      CHECK (name <> 'version' OR (typeof(value) = 'integer' AND value BETWEEN 0 AND ${MOST_VERSION}))
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO facts VALUES ('file', lower(hex(randomblob(16)))), ('version', 0)`,
  `CREATE TABLE purges (target TEXT PRIMARY KEY, version INTEGER NOT NULL, sender TEXT NOT NULL) STRICT`,
  `CREATE INDEX purges_by_version ON purges (version)`,
  `CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    build TEXT NOT NULL,
    path_of_key TEXT,
    version INTEGER NOT NULL,
    born INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX entries_by_use ON entries (used)`,
  `CREATE INDEX entries_by_path ON entries (path_of_key, stored) WHERE path_of_key IS NOT NULL`,
  `CREATE TABLE bodies (id INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT`,
  `CREATE TRIGGER entry_deleted AFTER DELETE ON entries BEGIN DELETE FROM bodies WHERE id = old.id; END`,
  `CREATE TABLE paths (path TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE leases (key TEXT PRIMARY KEY, token TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE builds (name TEXT PRIMARY KEY, seen INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
];
