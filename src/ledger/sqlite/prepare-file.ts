import type { DatabaseSync } from 'node:sqlite'
import { LedgerError } from '../ledger-error.js'

/** The application id that marks a SQLite file as a ledger: "task" in ASCII. */
const APPLICATION = 0x7461736b

/**
 * The changes from each version of the file to the next; the first one creates the tables. The table of rows has an index
 * and is not WITHOUT ROWID, so that SQLite appends new rows of all kinds: this doubles the inserts and updates per second.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE leadership (epoch INTEGER NOT NULL);
   INSERT INTO leadership VALUES (0);
   CREATE TABLE entry (
     space TEXT NOT NULL,
     kind TEXT NOT NULL,
     seq INTEGER NOT NULL,
     json TEXT NOT NULL,
     bytes BLOB,
     UNIQUE (space, kind, seq)
   );`,
]

/**
 * Migrates a file to the current version in one transaction.
 * @throws LedgerError if the file belongs to another program or a later version of tasksim
 */
export function prepareFile(database: DatabaseSync, path: string): void {
  const version = pragma(database, 'user_version')
  const application = pragma(database, 'application_id')
  if (application !== APPLICATION && !isEmpty(database))
    throw new LedgerError(`${path} is a database of another program. Give another path.`)
  if (version > MIGRATIONS.length)
    throw new LedgerError(
      `The ledger ${path} has version ${version}, but this tasksim reads versions up to ${MIGRATIONS.length}. Install the latest version: npm install tasksim@latest`,
    )
  if (version === MIGRATIONS.length) return
  const changes = MIGRATIONS.slice(version).join('\n')
  database.exec(
    `BEGIN; ${changes} PRAGMA application_id=${APPLICATION}; PRAGMA user_version=${MIGRATIONS.length}; COMMIT`,
  )
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
}
