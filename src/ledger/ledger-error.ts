import { UsageError } from '../engine/errors.js'

/** The error if a ledger or a saved state cannot be used. The message gives the reason and says what to do. */
export class LedgerError extends UsageError {
  override readonly name = 'LedgerError'
}
