/** The parts that retain bytes, by their names in the control API. */
export type Holder =
  | 'live_tasks'
  | 'ended_tasks'
  | 'files'
  | 'uploads'
  | 'pending_deliveries'
  | 'ended_deliveries'
  | 'journal'
  | 'last_answers'
  | 'transfers'
  | 'sandboxes'

/**
 * The order of eviction. Files come first, because the simulator can render them again. Expired uploads and ended tasks
 * follow, then the records of past events. Other holders never evict.
 */
const EVICTION_ORDER: readonly Holder[] = [
  'files',
  'uploads',
  'ended_tasks',
  'ended_deliveries',
  'last_answers',
  'journal',
]

const TRANSFER_SHARE = 1 / 4

/** In bytes: a few of the largest bodies. */
const MIN_TRANSFER_SHARE = 32 * 1024 * 1024

/**
 * Limits the bytes that a simulator and its sandboxes retain. Each part that retains bytes has an {@link Account}. When
 * the accounts exceed the limit, the budget evicts from the largest account of the first holder in the eviction order
 * that has something to evict.
 */
export class MemoryBudget {
  /** In bytes; Infinity for no limit. */
  readonly limit: number
  /**
   * Request bodies that are being read or answered, and long answers that are being sent. They have a separate share,
   * so that a transfer evicts nothing: see {@link canTransfer}.
   */
  readonly transfers = new Account()
  readonly #accounts = new Map<Holder, Set<Account>>()
  #used = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.limit = limit
    this.#accounts.set('transfers', new Set([this.transfers]))
  }

  /** The estimated number of retained bytes, without transfers. */
  get used(): number {
    return this.#used
  }

  /** How many bytes each holder retains. */
  usage(): Partial<Record<Holder, number>> {
    const usage: Partial<Record<Holder, number>> = {}
    for (const [holder, accounts] of this.#accounts)
      usage[holder] = [...accounts].reduce((sum, { bytes }) => sum + bytes, 0)
    return usage
  }

  /**
   * Opens an account.
   * @param evict evicts the least useful item of the account; returns false if there is none
   */
  open(holder: Holder, evict?: () => boolean): Account {
    const account = new Account(this.#change, evict, () => accounts.delete(account))
    const accounts = this.#accounts.get(holder) ?? new Set()
    this.#accounts.set(holder, accounts.add(account))
    return account
  }

  /**
   * Evicts items until further bytes fit.
   * @returns false if they do not fit although nothing more can be evicted
   */
  tryToFit(bytes: number): boolean {
    while (this.#used + bytes > this.limit) if (!this.#evictOne()) return false
    return true
  }

  /** Whether a further transfer fits. A quarter of the limit is for transfers, but at least 32 MB. */
  canTransfer(bytes: number): boolean {
    return this.transfers.bytes + bytes <= Math.max(this.limit * TRANSFER_SHARE, MIN_TRANSFER_SHARE)
  }

  readonly #change = (bytes: number): void => {
    this.#used += bytes
    if (bytes > 0 && this.#used > this.limit) this.tryToFit(0)
  }

  #evictOne(): boolean {
    return EVICTION_ORDER.some((holder) => {
      const accounts = this.#accounts.get(holder) ?? NONE
      // Evict from the largest account first, so that a flood in one sandbox does not affect the others.
      if (largestOf(accounts)?.evict()) return true
      return [...accounts].sort((a, b) => b.bytes - a.bytes).some((account) => account.evict())
    })
  }
}

const NONE: ReadonlySet<Account> = new Set()

function largestOf(accounts: ReadonlySet<Account>): Account | undefined {
  let largest: Account | undefined
  for (const account of accounts) if (account.bytes > (largest?.bytes ?? 0)) largest = account
  return largest
}

/** The bytes that one part retains. */
export class Account {
  /** How many bytes it retains. */
  bytes = 0
  /** Evicts the least useful item. Returns false if there is none. */
  readonly evict: () => boolean
  readonly #onChange: ((bytes: number) => void) | undefined
  readonly #onClose: () => void
  #isOpen = true

  constructor(
    onChange?: (bytes: number) => void,
    evict: () => boolean = () => false,
    onClose: () => void = () => {},
  ) {
    this.#onChange = onChange
    this.evict = evict
    this.#onClose = onClose
  }

  /** Adds bytes; a negative number removes them. */
  add(bytes: number): void {
    if (!this.#isOpen || bytes === 0) return
    this.bytes += bytes
    this.#onChange?.(bytes)
  }

  /** Removes all bytes. */
  clear(): void {
    this.add(-this.bytes)
  }

  /** Removes all bytes, and ignores further ones. */
  close(): void {
    this.clear()
    this.#isOpen = false
    this.#onClose()
  }
}

const MB = 1024 * 1024

/** The default limit of retained bytes: enough for a day of development on a laptop. */
export const DEFAULT_KEEP_BYTES = 512 * MB

/** A journal and a few tasks need at least this many bytes. */
const MIN_BYTES = MB

/** The valid numbers of bytes to keep, for error messages. */
export const KEEP_BYTES_FORM = 'a size such as 256MB or 2GB, or a number of bytes, from 1MB up, or Infinity'

const UNITS: Readonly<Record<string, number>> = { '': 1, kb: 1024, mb: MB, gb: 1024 * MB }

/** A number of bytes in an option: `268435456`, `'256MB'`, `'2GB'`. A kB is 1,024 bytes. */
export type ByteSize = number | `${number}${'kB' | 'MB' | 'GB'}`

/** Reads a number of bytes to keep. @returns undefined if it is invalid */
export function readKeepBytes(value: unknown): number | undefined {
  const bytes = typeof value === 'string' ? bytesIn(value) : value
  if (typeof bytes !== 'number') return undefined
  return bytes >= MIN_BYTES && (bytes === Infinity || Number.isSafeInteger(bytes)) ? bytes : undefined
}

function bytesIn(text: string): number | undefined {
  if (text === 'Infinity') return Infinity
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([kmg]b)?$/i.exec(text) ?? []
  const size = UNITS[unit.toLowerCase()]
  return number === undefined || size === undefined ? undefined : Math.round(Number(number) * size)
}

/** A size for messages, such as `512 MB`. */
export function describeBytes(bytes: number): string {
  const [unit, size] = bytes >= 1024 * MB ? ['GB', 1024 * MB] : bytes >= MB ? ['MB', MB] : ['kB', 1024]
  return `${Number((bytes / size).toFixed(1))} ${unit}`
}

/** Thrown if a new item would exceed the memory budget and nothing can be evicted for it. */
export class OverBudgetError extends Error {
  override readonly name = 'OverBudgetError'

  /** @param limit in bytes */
  constructor(limit: number) {
    super(
      `The ${describeBytes(limit)} that tasksim may keep in memory are in use by tasks that have not ended, pending webhooks, transfers and sandboxes. End or cancel some of them, reset the simulator, or raise \`keepBytes\` (--keep-bytes).`,
    )
  }
}
