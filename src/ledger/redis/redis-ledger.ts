import { startTimer, systemNow } from '../../engine/clock/system-clock.js'
import {
  type Epoch,
  type Ledger,
  type LedgerObservation,
  otherVersion,
  ROWS_VERSION,
  type Row,
} from '../ledger.js'
import { LedgerError } from '../ledger-error.js'
import { within } from '../wait.js'
import { LedgerKeys } from './keys.js'
import { FIRST_LEASE, instant, LEASE, Lease, RENEWAL } from './lease.js'
import { readRows } from './read-rows.js'
import { type RedisAddress, readRedisUrl } from './redis-address.js'
import { RedisCommits } from './redis-commits.js'
import { RedisConnection } from './redis-connection.js'
import { LEAD, RELEASE, RENEW } from './scripts.js'

/** The settings of a ledger in Redis. */
export interface RedisLedgerOptions {
  /** Receives warnings: that Redis may lose rows, or has lost some. */
  readonly onWarning?: (message: string) => void
}

/** A leader is late if its lease ends within this many milliseconds. */
const LATE = LEASE - RENEWAL - 200

/** How the reply starts if the rows have another version. */
const VERSION_REPLY = 'version '

/** The maximum time to release the lease, in milliseconds. After that, the lease expires. */
const RELEASE_TIMEOUT = 1_000

/**
 * Connects to a ledger in Redis.
 * @param url such as redis://127.0.0.1:6379, or rediss:// for TLS; with ?prefix=NAME, several ledgers can share a database
 * @throws LedgerError if the URL is not valid or Redis does not answer, UsageError if `@redis/client` is not installed
 */
export async function openRedisLedger(url: string, options: RedisLedgerOptions = {}): Promise<Ledger> {
  const address = readRedisUrl(url)
  const connection = await RedisConnection.open(address)
  for (const warning of await serverWarnings(connection, address)) options.onWarning?.(warning)
  return new RedisLedger(connection, address, options)
}

/** A leadership of this process. */
interface Leadership {
  readonly epoch: Epoch
  readonly lease: Lease
  readonly commits: RedisCommits
  /** Settles after the previous commit. */
  last: Promise<unknown>
  stopRenewing: () => void
}

class RedisLedger implements Ledger {
  readonly #connection: RedisConnection
  readonly #address: RedisAddress
  readonly #keys: LedgerKeys
  readonly #options: RedisLedgerOptions
  #leadership: Leadership | undefined

  constructor(connection: RedisConnection, address: RedisAddress, options: RedisLedgerOptions) {
    this.#connection = connection
    this.#address = address
    this.#keys = new LedgerKeys(address.prefix)
    this.#options = options
  }

  async lead(): Promise<Epoch | undefined> {
    if (this.#leadership !== undefined) return this.#leadership.epoch
    const { meta, lease, index } = this.#keys
    const sent = instant()
    const args = [String(ROWS_VERSION), String(FIRST_LEASE), String(systemNow())]
    const reply = String(await this.#connection.run(LEAD, [meta, lease], args))
    if (reply === '') return undefined
    if (reply.startsWith(VERSION_REPLY)) throw this.#wrongVersion(reply)
    const [epoch = 0, last = 0] = reply.split(' ').map(Number)
    const names = await this.#connection.send(['SMEMBERS', index])
    const leadership = this.#leadershipWith(epoch, {
      last,
      index: Array.isArray(names) ? names.map(String) : [],
    })
    leadership.lease.confirm(sent)
    this.#leadership = leadership
    this.#renewLater(leadership)
    return epoch
  }

  load(): AsyncIterable<readonly Row[]> {
    return readRows(this.#connection, this.#keys)
  }

  async commit(epoch: Epoch, rows: readonly Row[]): Promise<boolean> {
    const leadership = this.#leadershipOf(epoch)
    if (leadership === undefined) return false
    // The numbers of commits must reach Redis in order.
    const stored = leadership.last.then(() => this.#commit(leadership, rows))
    leadership.last = stored.catch(() => {})
    return stored
  }

  isLeading(epoch: Epoch): boolean {
    return this.#leadershipOf(epoch)?.lease.isCertain() ?? false
  }

  async observe(): Promise<LedgerObservation> {
    const { meta, lease } = this.#keys
    const [number, left] = await Promise.all([
      this.#connection.send(['HGET', meta, 'number']),
      this.#connection.send(['PTTL', lease]),
    ])
    return { commit: Number(number), isLate: Number(left) < LATE }
  }

  async close(): Promise<void> {
    const leadership = this.#leadership
    if (leadership !== undefined) await this.#release(leadership).catch(() => {})
    this.#end()
    this.#connection.close()
  }

  #leadershipOf(epoch: Epoch): Leadership | undefined {
    return this.#leadership?.epoch === epoch ? this.#leadership : undefined
  }

  #leadershipWith(
    epoch: Epoch,
    found: { readonly last: number; readonly index: readonly string[] },
  ): Leadership {
    const lease = new Lease()
    const commits = new RedisCommits(this.#connection, {
      keys: this.#keys,
      epoch,
      ...found,
      onStored: (sent) => lease.confirm(sent),
      onRecovered: (count) =>
        this.#warn(`had lost its latest ${count} commits. tasksim has stored them again.`),
    })
    return { epoch, lease, commits, last: Promise.resolve(), stopRenewing: () => {} }
  }

  async #commit(leadership: Leadership, rows: readonly Row[]): Promise<boolean> {
    if (this.#leadership !== leadership) return false
    const outcome = await leadership.commits.store(rows)
    if (outcome === 'stored') return true
    if (outcome === 'lost')
      this.#warn(
        'has lost rows. This server no longer leads; the next leader continues with the rows that Redis has.',
      )
    this.#end(leadership)
    return false
  }

  #renewLater(leadership: Leadership): void {
    leadership.stopRenewing = startTimer(RENEWAL, () => void this.#renew(leadership))
  }

  /** Renews the lease, even after an error: Redis may answer again before another process leads. */
  async #renew(leadership: Leadership): Promise<void> {
    const { meta, lease } = this.#keys
    const sent = instant()
    // The next renewal does not wait for this answer, which may be slow.
    this.#renewLater(leadership)
    const { epoch, commits } = leadership
    const args = [String(epoch), String(commits.hasStored ? LEASE : FIRST_LEASE)]
    const reply = await this.#connection.run(RENEW, [meta, lease], args).catch(() => undefined)
    if (this.#leadership !== leadership) return
    if (reply === 1) leadership.lease.confirm(sent)
    if (reply === 0) this.#end(leadership)
  }

  /** Releases the lease after the last commit, so that another process can lead at once. */
  async #release(leadership: Leadership): Promise<void> {
    const { meta, lease } = this.#keys
    await within(RELEASE_TIMEOUT, leadership.last, () => this.#connection.tooLate())
    leadership.stopRenewing()
    const released = this.#connection.run(RELEASE, [meta, lease], [String(leadership.epoch)])
    await within(RELEASE_TIMEOUT, released, () => this.#connection.tooLate())
  }

  #end(leadership = this.#leadership): void {
    leadership?.stopRenewing()
    if (this.#leadership === leadership) this.#leadership = undefined
  }

  #wrongVersion(reply: string): LedgerError {
    return new LedgerError(
      otherVersion(
        `The ledger ${this.#address.shown}`,
        reply.slice(VERSION_REPLY.length),
        'add another prefix to the URL, such as ?prefix=NAME',
      ),
    )
  }

  #warn(text: string): void {
    this.#options.onWarning?.(`The ledger ${this.#address.shown} ${text}`)
  }
}

/** Warns about the settings with which a Redis server may lose rows. A server that hides its settings gets no warning. */
async function serverWarnings(
  connection: RedisConnection,
  { shown }: RedisAddress,
): Promise<readonly string[]> {
  const info = await connection.send(['INFO']).catch(() => '')
  return warningsOf(String(info)).map((text) => `The ledger ${shown} ${text}`)
}

/**
 * Describes each setting that may lose rows.
 * @param info the reply to INFO
 */
export function warningsOf(info: string): string[] {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const warnings: string[] = []
  if (field('aof_enabled') === '0')
    warnings.push(
      'has no append-only file, so a restart of Redis loses the latest rows or all rows. Start Redis with `--appendonly yes`.',
    )
  if (Number(field('maxmemory')) > 0 && field('maxmemory_policy').startsWith('allkeys'))
    warnings.push(
      `deletes rows when its memory is full (${field('maxmemory_policy')}). Set \`maxmemory-policy noeviction\`.`,
    )
  return warnings
}
