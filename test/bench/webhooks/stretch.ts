import { setTimeout as wait } from 'node:timers/promises'
import { cpuTimeOf } from '../cpu-time.js'
import { drive, type Served } from '../http/load.js'
import type { Worker } from '../worker.js'
import type { Tally } from './receiver.js'

/** As few polls as a client with webhooks sends. */
const POLLS = 1
const LONGEST_WAIT = 30_000
/** The time in milliseconds in which tasks end without a receiver. */
const AFTERMATH = 350

/** The measurements of a period under load. */
export interface LoadPeriod {
  readonly tasks: number
  /** From the first request until the last webhook has arrived. */
  readonly seconds: number
  /** Microseconds of the server's CPU per task: its creation, its polls, its end, and its webhook if any. */
  readonly cpu: number
  /** The duration of each poll in milliseconds. */
  readonly polls: readonly number[]
  /** The total duration of polling. */
  readonly pollSeconds: number
}

/**
 * Creates and polls tasks at full speed for `milliseconds`, and waits for all of their webhooks.
 * @param receiver the receiver of the webhooks; undefined if the server has none
 * @throws if a webhook is lost, arrives twice, or has an invalid signature
 */
export async function stretch(
  { port, pid }: Served,
  receiver: Worker | undefined,
  milliseconds: number,
): Promise<LoadPeriod> {
  await receiver?.ask('forget')
  const ids: string[] = []
  const polls: number[] = []
  const usedBefore = cpuTimeOf(pid)
  const begin = performance.now()
  const elapsed = () => (performance.now() - begin) / 1_000
  await drive(port, milliseconds, {
    polls: POLLS,
    onTask: (id) => ids.push(id),
    onPoll: (took) => polls.push(took),
  })
  const pollSeconds = elapsed()
  const seconds = receiver === undefined ? elapsed() : await allReceived(receiver, ids.length, elapsed)
  await wait(AFTERMATH)
  const cpu = ((cpuTimeOf(pid) - usedBefore) * 1_000) / ids.length
  if (receiver !== undefined) requireEachOnce(ids, await receiver.ask<Tally>('tally'))
  return { tasks: ids.length, seconds, cpu, polls, pollSeconds }
}

/** Waits until this number of webhooks has arrived. @returns the time since the beginning */
async function allReceived(receiver: Worker, count: number, elapsed: () => number): Promise<number> {
  const begin = performance.now()
  while ((await receiver.ask<number>('received')) < count) {
    if (performance.now() - begin > LONGEST_WAIT) break
    await wait(10)
  }
  return elapsed()
}

function requireEachOnce(ids: readonly string[], { received, forged, ids: told }: Tally): void {
  const known = new Set(told)
  const lost = ids.filter((id) => !known.has(id)).length
  if (lost === 0 && forged === 0 && received === ids.length && known.size === ids.length) return
  throw new Error(
    `Of ${ids.length} webhooks ${lost} were lost; ${received} came, of ${known.size} tasks, ${forged} wrongly signed.`,
  )
}
