import { setTimeout as wait } from 'node:timers/promises'
import { cpuTimeOf } from '../cpu-time.js'
import { Client, type Habits } from './client.js'

const CONNECTIONS = 32

/** A server to put under load. */
export interface Served {
  readonly port: number
  readonly pid: number
}

/** The throughput and the CPU time of a server under load. */
export interface Load {
  /** Requests per second. */
  readonly rate: number
  /** Microseconds of the server's CPU per request; NaN if the system does not report it. */
  readonly cpu: number
}

/** Sends requests over 32 connections at full speed for `milliseconds`, and then waits for `rest`. */
export async function load({ port, pid }: Served, milliseconds: number, rest: number): Promise<Load> {
  const usedBefore = cpuTimeOf(pid)
  const begin = performance.now()
  const allowSleep = keepAwake()
  const answered = await drive(port, milliseconds)
  allowSleep()
  const seconds = (performance.now() - begin) / 1_000
  await wait(rest)
  return { rate: answered / seconds, cpu: ((cpuTimeOf(pid) - usedBefore) * 1_000) / answered }
}

/** Lets 32 clients send at full speed for `milliseconds`. @returns the number of answered requests */
export async function drive(port: number, milliseconds: number, habits?: Habits): Promise<number> {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(port, habits))
  const all = Promise.all(clients.map(({ done }) => done))
  await Promise.race([all, wait(milliseconds)])
  for (const client of clients) client.stop()
  await all
  return clients.reduce((sum, client) => sum + client.answered, 0)
}

/**
 * Keeps this process from sleeping. A slower server lets its client sleep more often, and nearly every write would
 * then pay for waking the client. That is a cost of the machine, not of the server.
 */
function keepAwake(): () => void {
  let isOver = false
  const spin = () => {
    if (!isOver) setImmediate(spin)
  }
  spin()
  return () => {
    isOver = true
  }
}
