import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Epoch, Ledger, Row } from '../ledger.js'
import { LedgerError } from '../ledger-error.js'
import { openDatabase } from './open-database.js'
import { readRows } from './read-rows.js'
import { sqliteError } from './sqlite-error.js'

interface Opened {
  readonly epoch: Epoch
  readonly database: DatabaseSync
  readonly put: StatementSync
  readonly remove: StatementSync
}

/** A ledger in a SQLite file, which only one process at a time can open. */
export class SqliteLedger implements Ledger {
  readonly #path: string
  readonly #synchronous: 'normal' | 'full'
  readonly #connect: (path: string) => DatabaseSync
  #opened: Opened | undefined

  /** @param connect opens a SQLite file */
  constructor(path: string, synchronous: 'normal' | 'full', connect: (path: string) => DatabaseSync) {
    this.#path = path
    this.#synchronous = synchronous
    this.#connect = connect
  }

  /** @throws LedgerError if the file cannot be opened, or is not a ledger of this version */
  lead(): Epoch | undefined {
    if (this.#opened !== undefined) return this.#opened.epoch
    const database = openDatabase(this.#path, { synchronous: this.#synchronous, connect: this.#connect })
    if (database === undefined) return undefined
    this.#opened = this.#attempt('open', () => start(database))
    return this.#opened.epoch
  }

  *load(): Generator<Iterable<Row>, void, undefined> {
    const { database } = this.#open()
    try {
      yield* readRows(database)
    } catch (error) {
      throw sqliteError('read', this.#path, error)
    }
  }

  commit(epoch: Epoch, rows: readonly Row[]): boolean {
    if (!this.isLeading(epoch)) return false
    const opened = this.#open()
    this.#attempt('write to', () => writeAll(opened, rows))
    return true
  }

  isLeading(epoch: Epoch): boolean {
    return this.#opened?.epoch === epoch
  }

  /** Copies the write-ahead log into the file, and closes the file. */
  close(): void {
    const opened = this.#opened
    this.#opened = undefined
    opened?.database.close()
  }

  #open(): Opened {
    if (this.#opened === undefined) throw new LedgerError(`The ledger ${this.#path} is not open.`)
    return this.#opened
  }

  #attempt<Value>(what: string, run: () => Value): Value {
    try {
      return run()
    } catch (error) {
      throw sqliteError(what, this.#path, error)
    }
  }
}

function start(database: DatabaseSync): Opened {
  const led = database.prepare('UPDATE leadership SET epoch = epoch + 1 RETURNING epoch').get()
  return {
    epoch: Number(led?.['epoch']),
    database,
    put: database.prepare(
      'INSERT INTO entry VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET json = excluded.json, bytes = excluded.bytes',
    ),
    remove: database.prepare('DELETE FROM entry WHERE space = ? AND kind = ? AND seq = ?'),
  }
}

function writeAll({ database, put, remove }: Opened, rows: readonly Row[]): void {
  database.exec('BEGIN')
  try {
    for (const { space, kind, seq, json, bytes } of rows) {
      if (json === undefined) remove.run(space, kind, seq)
      else put.run(space, kind, seq, json, bytes ?? null)
    }
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // After some errors, such as a full disk, SQLite has already rolled back.
  }
}
