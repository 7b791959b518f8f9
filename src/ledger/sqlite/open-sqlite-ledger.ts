import { resolve } from 'node:path'
import type { Ledger } from '../ledger.js'
import { LedgerError } from '../ledger-error.js'
import { SqliteLedger } from './sqlite-ledger.js'

/** The settings of a ledger in a SQLite file. */
export interface SqliteOptions {
  /**
   * What a commit waits for. `normal`: the operating system has the rows, so they survive a crash of the process.
   * `full`: the disk has the rows, so they also survive a power failure.
   */
  readonly synchronous?: 'normal' | 'full'
}

/**
 * Creates a ledger in a SQLite file. `lead` opens the file, and creates it if it does not exist.
 * @throws LedgerError if this version of Node has no SQLite
 */
export async function openSqliteLedger(
  path: string,
  { synchronous = 'normal' }: SqliteOptions = {},
): Promise<Ledger> {
  const { DatabaseSync } = await importSqlite().catch((cause) => {
    throw new LedgerError(
      `A ledger in a file needs Node 22.13 or later; this is Node ${process.versions.node}. To use ${path}, install a later version of Node.`,
      { cause },
    )
  })
  return new SqliteLedger(resolve(path), synchronous, (file) => new DatabaseSync(file))
}

/**
 * Imports `node:sqlite`. Node 22 warns on import that its SQLite is experimental; tasksim depends on none of the
 * functions that may change, so the warning is dropped. Other warnings of the import are not.
 * @throws Error if this version of Node has no SQLite
 */
async function importSqlite(): Promise<typeof import('node:sqlite')> {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) {
      Reflect.apply(emitWarning, process, [warning, ...rest])
    }
  }
  try {
    return await import('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
