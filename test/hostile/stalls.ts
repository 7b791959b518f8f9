import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from '../bench/worker.js'
import { expectThat } from '../support/check.js'
import type { Server } from '../support/server.js'

/** The size of the largest bodies. */
const LARGE = 48_000_000
/**
 * The longest time that a request may keep the server from others, in milliseconds of CPU: a fixed part, and what this
 * machine needs to fill the memory of the largest body four times. Once takes 20 ms on some machines, 180 on others.
 */
const LONGEST_STALL = 100 + 4 * leastOf(5, () => Buffer.alloc(LARGE, 1))
/** A stall that the server causes occurs again, unlike one of a busy machine. */
const TRIES = 4
const PAUSE = 15

/** Measures how long requests keep a server from answering others. */
export class Stalls {
  readonly #probe: Worker
  #worst = 0

  constructor({ port, pid }: Server) {
    this.#probe = new Worker(new URL('health-probe.ts', import.meta.url), [String(port), String(pid)])
  }

  /**
   * Measures the longest turn of the server's event loop during requests.
   * @param figure prints the result
   */
  async measure(what: string, send: () => Promise<void>, figure: (text: string) => void): Promise<void> {
    const stall = await this.#shortestOf(TRIES, send)
    figure(`${String(Math.ceil(stall)).padStart(4)} ms  ${what}`)
    this.#worst = Math.max(this.#worst, stall)
  }

  /** @throws Error if a request stalled the server for too long */
  check(): void {
    const took = Math.ceil(this.#worst)
    expectThat(
      took <= LONGEST_STALL,
      `a request kept the server busy for ${took} ms, limit ${Math.ceil(LONGEST_STALL)} ms`,
    )
  }

  end(): Promise<void> {
    return this.#probe.end()
  }

  /** Tries again while a stall is too long. */
  async #shortestOf(tries: number, send: () => Promise<void>): Promise<number> {
    await this.#probe.ask('longest')
    await send()
    await wait(PAUSE)
    const stall = await this.#probe.ask<number>('longest')
    if (stall <= LONGEST_STALL || tries === 1) return stall
    return Math.min(stall, await this.#shortestOf(tries - 1, send))
  }
}

/** The least CPU time of several calls, in milliseconds. */
function leastOf(calls: number, call: () => unknown): number {
  const times = Array.from({ length: calls }, () => {
    const before = process.cpuUsage()
    call()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}
