import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { eventually } from '../../support/check.js'
import { end, freePort, launch, signal } from '../../support/processes.js'

/** A Redis server with its own folder. */
export class RedisServer {
  readonly port: number
  /** The port for TLS, if the options have a certificate. */
  readonly tlsPort: number
  readonly folder: string
  readonly #options: readonly string[]
  #child: ChildProcess | undefined

  private constructor(
    [port, tlsPort]: readonly [number, number],
    folder: string,
    options: readonly string[],
  ) {
    this.port = port
    this.tlsPort = tlsPort
    this.folder = folder
    this.#options = options
  }

  /** Starts a server with an append-only file, on a free port. */
  static async start(...options: string[]): Promise<RedisServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tasksim-redis-'))
    const server = new RedisServer([await freePort(), await freePort()], folder, options)
    await server.start()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts the server again, with the rows that it has on its disk. */
  async start(): Promise<void> {
    const always = ['--dir', this.folder, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes']
    const tls = this.#options.includes('--tls-cert-file') ? ['--tls-port', String(this.tlsPort)] : []
    const args = ['--port', String(this.port), ...tls, ...always, ...this.#options]
    this.#child = launch('redis-server', args, { stdio: 'ignore' })
    await eventually('Redis listens', () => accepts(this.port))
  }

  /** Stops the process without a warning, as a crash does. */
  async kill(): Promise<void> {
    if (this.#child !== undefined) await end(this.#child)
  }

  /** Suspends the process, as a busy machine does. */
  suspend(): void {
    if (this.#child !== undefined) signal(this.#child, 'SIGSTOP')
  }

  resume(): void {
    if (this.#child !== undefined) signal(this.#child, 'SIGCONT')
  }

  /** Runs a command. */
  async command(...args: string[]): Promise<unknown> {
    const client = await createClient({ url: this.url }).connect()
    try {
      return await client.sendCommand(args)
    } finally {
      client.destroy()
    }
  }

  /** Ends the process and deletes its folder. */
  async end(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Runs a function with a Redis server, which ends afterwards. */
export async function withRedis(
  use: (redis: RedisServer) => Promise<void>,
  ...options: string[]
): Promise<void> {
  const redis = await RedisServer.start(...options)
  try {
    await use(redis)
  } finally {
    await redis.end()
  }
}
