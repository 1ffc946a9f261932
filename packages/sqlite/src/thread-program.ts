/** What the thread is started with. */
export interface ThreadData {
  readonly file: string;
  /** Of SQLite's header: tells files of this store from those of other programs. */
  readonly applicationId: number;
  /** The version of the tables. */
  readonly tablesVersion: number;
  /** Statements for a new file, in one transaction. */
  readonly tables: readonly string[];
  /** Statements for each connection. */
  readonly pragmas: readonly string[];
  /** Beyond this size of the write-ahead log only `durable` jobs write. */
  readonly maxLogBytes: number;
}

/** Statements, of one transaction but for `apart`. */
export interface Job {
  /**
   * `read` sees one state of the file and waits for no lock, `write` has the file's lock, and so has `durable`, which
   * is on disk when it is answered.
   */
  readonly kind: 'read' | 'write' | 'durable' | 'apart';
  readonly steps: readonly Step[];
}

/** A statement and its parameters. */
export type Step = readonly [sql: string, ...parameters: (string | number | Uint8Array | null)[]];

export type Row = Readonly<Record<string, unknown>>;

/** Why a job has failed. */
export interface ThreadError {
  /**
   * `busy`: another connection has the lock. `full`: the disk or the log has no room. `damaged`: the file was
   * unusable and has been removed. `foreign`: it is not a file of this store, and is left alone. `failed`: the rest.
   */
  readonly reason: 'busy' | 'full' | 'damaged' | 'foreign' | 'failed';
  readonly message: string;
}

/** The answer to a job, in the order of jobs. */
export interface ThreadReply {
  /** The rows of each step; undefined if the job has failed. */
  readonly rows?: readonly (readonly Row[])[];
  /** The id of the file: another one is a new file, without all that was in the last. */
  readonly fileId?: string;
  readonly error?: ThreadError;
}

/**
 * The program of the thread that has the connection. It is text, because a bundler that puts the server into one file
 * leaves no other file to start a thread from; so it does what needs the connection, and no more.
 *
 * Each job compares the open file with the one that has its name now: a file that was deleted or replaced would take
 * purges that no other process reads. POSIX locks of a file end as any descriptor of it is closed, so a file that may
 * be open is examined by name and through SQLite alone, unless SQLite cannot read it at all.
 */
export const THREAD_PROGRAM = `'use strict';
const { closeSync, lstatSync, mkdirSync, openSync, readlinkSync } = require('node:fs');
const { readSync, realpathSync, rmSync, statSync } = require('node:fs');
const { dirname } = require('node:path');
const { DatabaseSync } = require('node:sqlite');
const { parentPort, workerData } = require('node:worker_threads');

const { file, applicationId, tablesVersion, tables, pragmas, maxLogBytes } = workerData;
const CREATION_MS = 1000;
let database, fileId, inode, logFile;
const prepared = new Map();

class Refusal extends Error {
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

function stat(name) {
  return statSync(name, { bigint: true, throwIfNoEntry: false });
}

function inodeOf(name) {
  const found = stat(name);
  return found && found.dev + ':' + found.ino;
}

function create() {
  makeFolder(dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isDanglingLink()) {
      const message = 'it is a symbolic link to ' + readlinkSync(file) + ', which does not exist';
      throw new Refusal('failed', message);
    }
    const { size, mtimeMs } = stat(file) || { size: 0n, mtimeMs: BigInt(Date.now()) };
    const isNew = Math.abs(Date.now() - Number(mtimeMs)) < CREATION_MS;
    if (size === 0n && isNew) throw new Refusal('busy', 'another process is creating the file');
    return;
  }
  // Of a file that was deleted: processes that have not noticed it may still write to them.
  rmSync(file + '-wal', { force: true });
  rmSync(file + '-shm', { force: true });
}

// The option recursive never returns where a folder refuses new ones with ENOENT, as /proc does.
function makeFolder(folder) {
  if (stat(folder) !== undefined) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

function isDanglingLink() {
  const link = lstatSync(file, { throwIfNoEntry: false });
  return link?.isSymbolicLink() === true && stat(file) === undefined;
}

function valueOf(sql) {
  return Object.values(database.prepare(sql).get())[0];
}

function begin() {
  database.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL');
  const mode = valueOf('PRAGMA journal_mode = WAL');
  if (mode !== 'wal') throw new Error('there is no write-ahead log on this file system, only ' + mode);
  database.exec('BEGIN IMMEDIATE');
  if (valueOf('PRAGMA application_id') === 0) {
    for (const sql of tables) database.exec(sql);
    database.exec('PRAGMA application_id = ' + applicationId + '; PRAGMA user_version = ' + tablesVersion);
  }
  database.exec('COMMIT');
}

function open() {
  create();
  const opened = inodeOf(file);
  // SQLite has it beside the file that a symbolic link leads to.
  logFile = realpathSync(file) + '-wal';
  database = new DatabaseSync(file);
  let isOurs = false;
  try {
    database.exec('PRAGMA busy_timeout = 0');
    // Before the id: another process may make the tables in between, and sets the id with them.
    const hasTables = valueOf('SELECT count(*) FROM sqlite_schema') > 0;
    const id = valueOf('PRAGMA application_id');
    isOurs = id === applicationId;
    const isEmpty = id === 0 && !hasTables;
    if (!isOurs && !isEmpty) throw new Refusal('foreign', 'it is a database of another program');
    if (isEmpty) begin();
    const version = valueOf('PRAGMA user_version');
    if (version > tablesVersion) throw new Refusal('foreign', 'a later version of @ng-ssr/sqlite wrote it');
    if (version < tablesVersion) throw new Refusal('damaged', 'an earlier version of @ng-ssr/sqlite wrote it');
    for (const sql of pragmas) database.exec(sql);
    const fact = database.prepare("SELECT value FROM facts WHERE name = 'file'").get();
    if (typeof fact?.value !== 'string') throw new Refusal('damaged', 'it has no id');
    fileId = fact.value;
    inode = opened;
  } catch (error) {
    const failed = toError(error);
    close();
    if (failed.reason !== 'damaged') throw new Refusal(failed.reason, failed.message);
    if (!isOurs && !hasOurHeader()) throw new Refusal('foreign', failed.message);
    remove(opened);
    throw new Refusal('damaged', failed.message);
  }
}

function hasOurHeader() {
  const header = Buffer.alloc(72);
  const descriptor = openSync(file);
  readSync(descriptor, header);
  closeSync(descriptor);
  return header.toString('latin1', 0, 15) === 'SQLite format 3' && header.readInt32BE(68) === applicationId;
}

function close() {
  prepared.clear();
  const closed = database;
  database = undefined;
  try {
    if (closed !== undefined) closed.close();
  } catch {}
}

function remove(damaged) {
  try {
    if (inodeOf(file) === damaged) rmSync(file);
  } catch {
    // Windows does not remove what another process has open.
  }
}

function run({ kind, steps }) {
  if (database !== undefined && inodeOf(file) !== inode) close();
  if (database === undefined) open();
  if (kind === 'write') boundLog();
  if (kind === 'durable') database.exec('PRAGMA synchronous = FULL');
  if (kind !== 'apart') database.exec(kind === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
  const rows = steps.map(([sql, ...parameters]) => {
    if (!prepared.has(sql)) prepared.set(sql, database.prepare(sql));
    return prepared.get(sql).all(...parameters);
  });
  if (kind !== 'apart') database.exec('COMMIT');
  if (kind === 'durable') database.exec('PRAGMA synchronous = NORMAL');
  if (kind !== 'read' && inodeOf(file) !== inode) throw new Refusal('busy', 'the file was replaced');
  return rows;
}

function boundLog() {
  const logBytes = () => Number((stat(logFile) || { size: 0n }).size);
  if (logBytes() <= maxLogBytes) return;
  database.exec('PRAGMA busy_timeout = 20; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = 0');
  if (logBytes() > maxLogBytes) throw new Refusal('busy', 'a reader keeps the log from being emptied');
}

function toError(error) {
  return { reason: error.reason || reasonOf(error), message: error.message };
}

function reasonOf({ code, errcode, message }) {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  // Of a number that is none of JavaScript's: no program of this store has written it.
  if (code === 'ERR_OUT_OF_RANGE') return 'damaged';
  if (code !== 'ERR_SQLITE_ERROR') return 'failed';
  switch (errcode & 255) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
    case 15: // SQLITE_PROTOCOL: processes that began a transaction at once
    case 17: // SQLITE_SCHEMA
      return 'busy';
    case 13: // SQLITE_FULL
      return 'full';
    case 1: // SQLITE_ERROR
      return /no such (table|column)/.test(message) ? 'damaged' : 'failed';
    case 11: // SQLITE_CORRUPT
    case 19: // SQLITE_CONSTRAINT: a value that no program of this store has written
    case 26: // SQLITE_NOTADB
      return 'damaged';
    default:
      return 'failed';
  }
}

function answer(job) {
  try {
    return { rows: run(job), fileId };
  } catch (error) {
    const failed = toError(error);
    if (database !== undefined) {
      try {
        database.exec('ROLLBACK');
      } catch {}
      if (failed.reason === 'damaged' || failed.reason === 'failed') close();
      else if (job.kind === 'durable') database.exec('PRAGMA synchronous = NORMAL');
      if (failed.reason === 'damaged') remove(inode);
    }
    return { error: failed };
  }
}

function bytesIn(rows = []) {
  const values = rows.flat().flatMap((row) => Object.values(row));
  return values.filter((value) => value instanceof Uint8Array).map(({ buffer }) => buffer);
}

parentPort.on('message', (job) => {
  if (job === 'close') {
    close();
    return parentPort.close();
  }
  const reply = answer(job);
  parentPort.postMessage(reply, bytesIn(reply.rows));
});
`;
