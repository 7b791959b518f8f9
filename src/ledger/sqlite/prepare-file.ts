import type { DatabaseSync } from 'node:sqlite'
import { LedgerError } from '../ledger-error.js'
import { otherVersion, ROWS_VERSION } from '../rows-version.js'

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
export function prepareFile(database: DatabaseSync, path: string): void {
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
