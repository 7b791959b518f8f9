import { writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { otherVersion, ROWS_VERSION } from '../ledger.js'
import { LedgerError } from '../ledger-error.js'
import { SQLITE, sqliteCode, sqliteError } from './sqlite-error.js'

/** The maximum size of the write-ahead log, in bytes, after SQLite has copied it into the file. */
const LOG_BYTES = 16 * 1024 * 1024

/** How {@link openDatabase} opens a file. */
interface DatabaseOptions {
  readonly synchronous: 'normal' | 'full'
  /** Opens a SQLite file. */
  connect(path: string): DatabaseSync
}

/**
 * Opens a file exclusively, and creates it if it does not exist. The operating system releases the lock when the process
 * ends, even after `kill -9`.
 * @returns undefined while another process has the file open
 * @throws LedgerError if the file cannot be opened, or is not a ledger
 */
export function openDatabase(
  path: string,
  { synchronous, connect }: DatabaseOptions,
): DatabaseSync | undefined {
  let database: DatabaseSync | undefined
  try {
    createPrivate(path)
    database = connect(path)
    // In this order: with an exclusive lock, the log needs no shared memory.
    database.exec(`PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; BEGIN EXCLUSIVE; COMMIT`)
    database.exec(`PRAGMA synchronous=${synchronous}; PRAGMA journal_size_limit=${LOG_BYTES}`)
    prepareFile(database, path)
    return database
  } catch (error) {
    database?.close()
    if (sqliteCode(error) === SQLITE.busy) return undefined
    throw sqliteError('open', path, error)
  }
}

/** Creates a file that only this user can read, because it contains secrets. SQLite gives its log the same mode. */
function createPrivate(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Opening and closing an existing file would release the lock of another ledger in this process.
    if ((Object(error) as { code?: unknown }).code !== 'EEXIST') throw error
  }
}

/** The application id that marks a SQLite file as a ledger: "task" in ASCII. */
const APPLICATION = 0x7461736b

/**
 * Creates the tables. That of rows has an index and is not WITHOUT ROWID, so that SQLite appends new rows of all kinds: this
 * doubles the inserts and updates per second.
 */
const TABLES = `
CREATE TABLE leadership (epoch INTEGER NOT NULL);
INSERT INTO leadership VALUES (0);
CREATE TABLE entry (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  seq INTEGER NOT NULL,
  json TEXT NOT NULL,
  bytes BLOB,
  UNIQUE (space, kind, seq)
);`

/** The version of a file that SQLite has just created. */
const NEW = 0

/**
 * Creates the tables of a new file in one transaction.
 * @throws LedgerError if the file belongs to another program or another version of tasksim
 */
function prepareFile(database: DatabaseSync, path: string): void {
  const version = pragma(database, 'user_version')
  const application = pragma(database, 'application_id')
  if (application !== APPLICATION && !isEmpty(database))
    throw new LedgerError(`${path} is a database of another program. Give another path.`)
  if (version === ROWS_VERSION) return
  if (version !== NEW)
    throw new LedgerError(otherVersion(`The ledger ${path}`, String(version), 'delete the file'))
  database.exec(
    `BEGIN; ${TABLES} PRAGMA application_id=${APPLICATION}; PRAGMA user_version=${ROWS_VERSION}; COMMIT`,
  )
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
}
