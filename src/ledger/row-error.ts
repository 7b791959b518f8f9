import { reasonOf } from '../engine/errors.js'
import { LedgerError } from './ledger-error.js'
import type { RowAddress } from './row-address.js'

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
