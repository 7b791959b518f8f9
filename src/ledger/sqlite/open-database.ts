import { writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { prepareFile } from './prepare-file.js'
import { SQLITE, sqliteCode, sqliteError } from './sqlite-error.js'

/** The maximum size of the write-ahead log, in bytes, after SQLite has copied it into the file. */
const LOG_BYTES = 16 * 1024 * 1024

/** How {@link openDatabase} opens a file. */
export interface DatabaseOptions {
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
