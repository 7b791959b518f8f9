import { isIP } from 'node:net'
import { startTimer } from '../../engine/clock/system-clock.js'
import { onMissingPackage } from '../../engine/errors.js'
import type { LedgerError } from '../ledger-error.js'
import { pause } from '../wait.js'
import type { RedisAddress } from './redis-address.js'
import { redisError } from './redis-error.js'

/** An argument of a command. */
export type Argument = string | Buffer

/** The part of a client of `@redis/client` that this file uses. */
interface Client {
  connect(): Promise<unknown>
  sendCommand(args: readonly Argument[], options?: object): Promise<unknown>
  destroy(): void
  on(event: 'error' | 'terminated', listener: (error: Error) => void): unknown
}

/** All in milliseconds. */
const CONNECT_TIMEOUT = 5_000
const RETRY = 200
/** A command without an answer for so long replaces the connection, because the machine of Redis may be down. */
const ANSWER_TIMEOUT = 10_000

/** A connection to Redis that reconnects when it breaks. It never sends a command again. */
export class RedisConnection {
  readonly #address: RedisAddress
  readonly #create: () => Client
  readonly #bytes: object
  readonly #onReady: (() => void)[] = []
  #client: Client | undefined
  #isClosed = false

  private constructor(address: RedisAddress, create: () => Client, bytes: object) {
    this.#address = address
    this.#create = create
    this.#bytes = bytes
  }

  /**
   * Connects to Redis.
   * @throws LedgerError if the connection fails; UsageError if the package of the client is missing
   */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const { createClient, RESP_TYPES } = await import('@redis/client').catch(
      onMissingPackage('A ledger in Redis', '@redis/client'),
    )
    const { host, port, isTls, username, password, database } = address
    const create = () =>
      createClient({
        socket: {
          host,
          port,
          connectTimeout: CONNECT_TIMEOUT,
          reconnectStrategy: false,
          // TLS does not allow an IP address as a server name, although a certificate may contain one.
          ...(isTls && { tls: true, ...(isIP(host) === 0 && { servername: host }) }),
        },
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
        database,
        RESP: 2,
        disableOfflineQueue: true,
        disableClientInfo: true,
        maintNotifications: 'disabled',
        // The timers of the client would cost more than a command.
        commandOptions: { timeout: 0 },
      })
    const connection = new RedisConnection(address, create, {
      typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer },
    })
    connection.#client = await connection.#connect()
    return connection
  }

  get isReady(): boolean {
    return this.#client !== undefined
  }

  /** Calls a listener after each reconnection. */
  onReady(listener: () => void): void {
    this.#onReady.push(listener)
  }

  /**
   * Sends a command. Commands reach Redis in the order of these calls.
   * @param asBytes whether strings in the reply become buffers
   * @throws LedgerError if Redis rejects the command, or the connection breaks; in the latter case, Redis may have run it
   */
  async send(args: readonly Argument[], asBytes = false): Promise<unknown> {
    const client = this.#client
    if (client === undefined) throw this.#error(new Error('not connected'))
    const stop = startTimer(ANSWER_TIMEOUT, () => this.#drop(client))
    try {
      return await client.sendCommand(args, asBytes ? this.#bytes : undefined)
    } catch (error) {
      throw this.#error(error)
    } finally {
      stop()
    }
  }

  /**
   * Runs commands in one transaction, all of them or none. They must not fail because of stored data.
   * @returns the reply to the first one
   */
  async sendAll(commands: readonly (readonly Argument[])[]): Promise<unknown> {
    const [first] = commands
    if (first !== undefined && commands.length === 1) return this.send(first)
    const queued = [['MULTI'], ...commands].map((command) => this.send(command))
    // The reply to EXEC says whether Redis rejected one of them.
    for (const each of queued) each.catch(() => {})
    const replies: unknown = await this.send(['EXEC'])
    const reply: unknown = Array.isArray(replies) ? replies[0] : undefined
    if (reply instanceof Error) throw this.#error(reply)
    return reply
  }

  /** Runs a script. */
  run(script: string, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.send(['EVAL', script, String(keys.length), ...keys, ...args])
  }

  /** Closes the connection. Commands without an answer reject. */
  close(): void {
    this.#isClosed = true
    if (this.#client !== undefined) this.#drop(this.#client)
  }

  async #connect(): Promise<Client> {
    const client = this.#create()
    let reason: Error | undefined
    const fail = (error: Error) => {
      // The first error is the cause of the others.
      reason ??= error
      this.#drop(client)
    }
    client.on('error', fail)
    client.on('terminated', fail)
    const stop = startTimer(CONNECT_TIMEOUT, () => fail(new Error('no answer within 5s')), true)
    try {
      await client.connect()
      await client.sendCommand(['PING'])
    } catch (error) {
      destroy(client)
      throw this.#error(reason ?? error)
    } finally {
      stop()
    }
    return client
  }

  /** Closes a connection, and opens another one. */
  #drop(client: Client): void {
    const isCurrent = client === this.#client
    if (isCurrent) this.#client = undefined
    destroy(client)
    if (isCurrent && !this.#isClosed) void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    while (!this.#isClosed) {
      await pause(RETRY)
      const client = await this.#connect().catch(() => undefined)
      if (client === undefined) continue
      if (this.#isClosed) return destroy(client)
      this.#client = client
      for (const listener of this.#onReady) listener()
      return
    }
  }

  /** The error of a command without an answer. */
  tooLate(): LedgerError {
    return this.#error(new Error('no answer in time'))
  }

  #error(error: unknown): LedgerError {
    return redisError(this.#address, error)
  }
}

/** Destroys a client. `destroy` throws if the client is already closed. */
function destroy(client: Client): void {
  try {
    client.destroy()
  } catch {}
}
