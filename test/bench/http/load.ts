import { setTimeout as wait } from 'node:timers/promises'
import { cpuTimeOf } from '../cpu-time.js'
import { Client } from './client.js'

const CONNECTIONS = 32

/** A server to put under load. */
export interface Served {
  readonly port: number
  readonly pid: number
}

/** What a server did under load. */
export interface Load {
  /** Requests per second. */
  readonly rate: number
  /** Microseconds of the server's CPU for each request; NaN where the system does not tell. */
  readonly cpu: number
  /** The share of the time for which this side was at work; near 1 it would be the limit itself. */
  readonly busy: number
}

/** Keeps a server as busy as 32 connections can, for `milliseconds`, and lets it come to rest for `rest`. */
export async function load({ port, pid }: Served, milliseconds: number, rest: number): Promise<Load> {
  const usedBefore = cpuTimeOf(pid)
  const before = performance.eventLoopUtilization()
  const begin = performance.now()
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(port))
  const all = Promise.all(clients.map(({ done }) => done))
  await Promise.race([all, wait(milliseconds)])
  for (const client of clients) client.stop()
  await all
  const seconds = (performance.now() - begin) / 1_000
  const busy = performance.eventLoopUtilization(before).utilization
  await wait(rest)
  const answered = clients.reduce((sum, client) => sum + client.answered, 0)
  return { rate: answered / seconds, cpu: ((cpuTimeOf(pid) - usedBefore) * 1_000) / answered, busy }
}
