import { maskUrl } from '../engine/mask.js'
import type { Ledger } from './ledger.js'
import { LedgerError } from './ledger-error.js'
import { readRedisUrl } from './redis/redis-address.js'
import type { RedisLedgerOptions } from './redis/redis-ledger.js'
import type { SqliteOptions } from './sqlite/open-sqlite-ledger.js'

/** The settings of ledgers of all types. */
export interface OpenOptions extends SqliteOptions, RedisLedgerOptions {}

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i
const REDIS = /^rediss?:/i
/** The name of SQLite for a database in memory. Here it would be the name of a file. */
const IN_MEMORY = ':memory:'

/**
 * Opens the ledger at an address, without leading it.
 * @param address the path of a SQLite file, or the URL of a Redis server
 * @throws LedgerError if the address is invalid, Redis cannot be reached, or this version of Node has no SQLite;
 * UsageError if a package is missing
 */
export async function openLedger(address: string, options: OpenOptions = {}): Promise<Ledger> {
  checkAddress(address)
  if (REDIS.test(address)) {
    const { openRedisLedger } = await import('./redis/redis-ledger.js')
    return openRedisLedger(address, options)
  }
  const { openSqliteLedger } = await import('./sqlite/open-sqlite-ledger.js')
  return openSqliteLedger(address, options)
}

/** The address and the settings of a ledger. */
export interface LedgerOptions extends OpenOptions {
  /** The path of a SQLite file, or the URL of a Redis server, such as redis://127.0.0.1:6379. */
  readonly address: string
  /** Whether to delete the state in the ledger first. */
  readonly reset?: boolean
  /** Whether the clock pauses while no process leads the ledger. By default, it runs on. */
  readonly pause?: boolean
}

/** Whether the ledger at an address supports standbys: processes on any machine that wait until they can lead it. */
export function hasStandbys(address: string): boolean {
  return REDIS.test(address)
}

/** @throws LedgerError if the address of a ledger is invalid */
export function checkAddress(address: string): void {
  if (REDIS.test(address)) readRedisUrl(address)
  else if (address === IN_MEMORY)
    throw new LedgerError(
      `A ledger stores the state outside the memory; got "${IN_MEMORY}". To keep the state in memory, leave out --ledger (in code: \`ledger\`).`,
    )
  else if (address.trim() === '' || !isPath(address)) throw unknownAddress(address)
}

function unknownAddress(address: string): LedgerError {
  return new LedgerError(
    `The address of a ledger must be the path of a file, or a URL such as redis://127.0.0.1:6379; got ${JSON.stringify(shownAddress(address))}.`,
  )
}

/** Whether the address of a ledger is the path of a file. */
export function isPath(address: string): boolean {
  return !SCHEME.test(address)
}

/** The address of a ledger without its secrets, for messages. */
export function shownAddress(address: string): string {
  if (REDIS.test(address)) return readRedisUrl(address).shown
  return isPath(address) ? address : maskUrl(address)
}
