import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { end, keep } from '../../bench/children.js'
import { CLI } from '../../bench/distribution.js'
import { eventually } from '../check.js'
import { freePort } from '../free-port.js'

/** A server of a partition that can be started again on its port. */
export class PartitionServer {
  readonly #partition: string
  readonly #ledger: string
  readonly #port: number
  #child: ChildProcess | undefined

  private constructor(partition: string, ledger: string, port: number) {
    this.#partition = partition
    this.#ledger = ledger
    this.#port = port
  }

  /**
   * Starts a server, and waits until it answers, as a leader or as a standby.
   * @param redis the URL of the ledger of all partitions
   */
  static async start(partition: string, redis: string): Promise<PartitionServer> {
    const ledger = `${redis}?prefix=tasksim-${partition}`
    const server = new PartitionServer(partition, ledger, await freePort())
    await server.start()
    return server
  }

  /** Starts the server again. */
  async start(): Promise<void> {
    const { TASKSIM_PARTITION: _, ...env } = process.env
    const words = ['instant', '--seed', '1', '--partition', this.#partition, '--ledger', this.#ledger]
    this.#child = keep(
      spawn(process.execPath, [fileURLToPath(CLI), ...words, '--port', String(this.#port)], {
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    )
    await eventually(`a server of the partition ${this.#partition} answers`, async () => {
      const response = await fetch(`http://${this.address}/_sim/health`).catch(() => undefined)
      return response?.status === 200
    })
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** Whether the server leads its partition. */
  async leads(): Promise<boolean> {
    const response = await fetch(`http://${this.address}/_sim/ready`)
    return response.status === 200
  }

  /** Ends the process without a warning. */
  async kill(): Promise<void> {
    if (this.#child !== undefined) await end(this.#child)
  }
}
