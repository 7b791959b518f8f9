import { LedgerError } from '../ledger-error.js'

/** The primary result codes of SQLite that have a remedy. See https://www.sqlite.org/rescode.html */
export const SQLITE = {
  busy: 5,
  readOnly: 8,
  input: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDatabase: 26,
} as const

/** SQLITE_IOERR_LOCK, an extended code: a file that this user may only read, or on some network drives, has no lock. */
const CANNOT_LOCK = 3850

/** Returns the primary result code of an error of SQLite: an extended code has it in its lowest byte. */
export function sqliteCode(error: unknown): number | undefined {
  const code = extendedCode(error)
  return code === undefined ? undefined : code & 0xff
}

function extendedCode(error: unknown): number | undefined {
  const { errcode } = Object(error) as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode : undefined
}

/**
 * Explains why a ledger in a file cannot be used.
 * @param attempt what failed, such as `open`
 * @param error from `node:sqlite` or the file system
 */
export function sqliteError(attempt: string, path: string, error: unknown): LedgerError {
  if (error instanceof LedgerError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new LedgerError(`Cannot ${attempt} the ledger ${path}: ${reason}. ${remedyOf(error)}`, {
    cause: error,
  })
}

function remedyOf(error: unknown): string {
  if (extendedCode(error) === CANNOT_LOCK)
    return 'Check that this user may write the file, and that it is on a local disk.'
  switch (sqliteCode(error)) {
    case SQLITE.busy:
      return 'Stop the program that has the file open.'
    case SQLITE.readOnly:
      return 'Make the file and its folder writable for this user.'
    case SQLITE.full:
      return 'Free space on its disk.'
    case SQLITE.corrupt:
      return 'The file is damaged. Move it and the file with the same name and -wal to another folder, and start with a new ledger.'
    case SQLITE.notDatabase:
      return 'The file is not a SQLite database, or is damaged. Give another path.'
    case SQLITE.input:
      return 'Check the disk for errors.'
    default:
      return 'Check that its folder exists, and that this user may read and write the file and the folder.'
  }
}
