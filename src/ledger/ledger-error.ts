import { reasonOf, UsageError } from '../engine/errors.js'
import type { RowAddress } from './ledger.js'

/** The error if a ledger or a saved state cannot be used. The message gives the reason and says what to do. */
export class LedgerError extends UsageError {
  override readonly name = 'LedgerError'
}

/** The error if a row of a saved state cannot be used. */
export class RowError extends LedgerError {
  readonly address: RowAddress
  /** Why it cannot be used, without a full stop. */
  readonly reason: string

  constructor(address: RowAddress, cause: unknown) {
    const { space, kind, seq } = address
    const reason = reasonOf(cause)
    super(
      `The row ${kind} ${seq}${space === '' ? '' : ` of the sandbox ${space}`} in the saved state cannot be used: ${reason}. Use a backup, or delete the saved state of a ledger with --ledger-reset (in code: \`reset: true\`).`,
      { cause },
    )
    this.address = address
    this.reason = reason
  }
}
