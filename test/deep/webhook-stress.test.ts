import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DurationText } from '../../src/engine/clock/durations.js'
import type { DeliveryState, Post, Simulator, Transport } from '../../src/index.js'
import { runs } from '../support/deep.js'
import { create, simulate } from '../support/simulations.js'

const EVENTS = runs(500, 10_000)
const WAITS = [1_000, 5_000, 25_000]
const TIMEOUT = 15_000
const MAX_CONCURRENT = 32

type Reaction = 'accepts' | 'fails' | 'hangs' | 'is down'

/** One attempt, as the receiver recorded it. */
interface AttemptRecord {
  readonly at: number
  readonly reaction: Reaction
}

/** The period in which the receiver is down, in milliseconds. */
interface Outage {
  readonly from: number
  readonly to: number
}

/** A receiver that records its requests. Its reaction depends only on the event, the attempt and the time. */
function receiver(now: () => number, { from, to }: Outage) {
  const records = new Map<string, AttemptRecord[]>()
  let open = 0
  let maxOpen = 0
  const transport: Transport = async ({ body, signal }) => {
    const { task } = JSON.parse(new TextDecoder().decode(body))
    const record = records.get(task.id) ?? []
    records.set(task.id, record)
    const at = now()
    const reaction = at >= from && at < to ? 'is down' : reactionOf(`${task.id} ${record.length}`)
    record.push({ at, reaction })
    open += 1
    maxOpen = Math.max(maxOpen, open)
    if (reaction === 'hangs') await aborted(signal)
    open -= 1
    if (reaction === 'is down') throw new Error('connect ECONNREFUSED')
    return { status: reaction === 'accepts' ? 204 : 500 }
  }
  return { records, transport, maxOpen: () => maxOpen }
}

/** 30 % of the attempts fail, and 5 % are never answered. */
function reactionOf(text: string): Reaction {
  const percent = (createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32) * 100
  return percent < 30 ? 'fails' : percent < 35 ? 'hangs' : 'accepts'
}

function aborted(signal: Post['signal']): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

/** Returns the expected outcome of an event from the records of the receiver, and the due time of each attempt. */
function expectedOf(
  seen: readonly AttemptRecord[],
  endedAt = Number.NaN,
): { state: DeliveryState; due: number[] } {
  const due = seen.map((_, index) => {
    const { at, reaction } = seen[index - 1] ?? { at: endedAt, reaction: undefined }
    return at + (reaction === 'hangs' ? TIMEOUT : 0) + (index > 0 ? (WAITS[index - 1] ?? Number.NaN) : 0)
  })
  const isAccepted = seen.at(-1)?.reaction === 'accepts'
  return { state: isAccepted ? 'delivered' : seen.length > WAITS.length ? 'given_up' : 'pending', due }
}

/** Sends the events of tasks that end within a period, and returns all results. */
async function sendEvents(span: DurationText, outage: Outage) {
  const { records, transport, maxOpen } = receiver(() => sim.clock.now(), outage)
  const sim: Simulator = simulate({
    scenario: { defaults: { delay: { min: '0s', max: span } } },
    receivers: ['http://receiver.test/'],
    transport,
    patience: 1,
  })
  const errors: unknown[] = []
  const states = new Map<string, DeliveryState>()
  const ends = new Map<string, number>()
  sim.on('error', (error) => errors.push(error))
  sim.on('delivery.attempted', ({ taskId, state }) => states.set(taskId, state))
  sim.on('task.finished', ({ id }, at) => ends.set(id, at))
  for (let index = 0; index < EVENTS; index++) await create(sim, { input: { index } })
  await sim.clock.runUntilIdle()
  expect(errors).toEqual([])
  return { sim, records, states, ends, maxOpen: maxOpen() }
}

const MINUTE = 60_000

test.each<[string, DurationText, Outage, boolean]>([
  ['spread over an hour, exactly on schedule', '1h', { from: 10 * MINUTE, to: 20 * MINUTE }, true],
  // At most 32 attempts are in progress at a time, and all others wait.
  ['all at the same instant, and never too early', '0s', { from: MINUTE, to: 80_000 }, false],
])(
  'many events reach a receiver that fails, hangs and is down for a while: %s',
  async (_, span, outage, isExact) => {
    const { sim, records, states, ends, maxOpen } = await sendEvents(span, outage)
    const counts = { pending: 0, delivered: 0, given_up: 0, lost: 0 }
    const reactions = { accepts: 0, fails: 0, hangs: 0, 'is down': 0 }
    const wrong: unknown[] = []
    for (const [id, seen] of records) {
      const { state, due } = expectedOf(seen, ends.get(id))
      const isOnTime = seen.every(({ at }, index) =>
        isExact ? at === due[index] : at >= (due[index] ?? at + 1),
      )
      const isResent = seen.slice(0, -1).some(({ reaction }) => reaction === 'accepts')
      if (states.get(id) !== state || !isOnTime || isResent) wrong.push([id, states.get(id), seen, due])
      counts[state] += 1
      for (const { reaction } of seen) reactions[reaction] += 1
    }
    expect(wrong).toEqual([])
    expect([records.size, counts.pending, counts.delivered + counts.given_up]).toEqual([EVENTS, 0, EVENTS])
    expect(sim.webhooks.log.counts).toEqual(counts)
    // A receiver without failures never tests the retry schedule.
    expect(Math.min(counts.given_up, ...Object.values(reactions))).toBeGreaterThan(EVENTS / 200)
    expect(maxOpen).toBeLessThanOrEqual(MAX_CONCURRENT)
    // The delivery log equals the records of the receiver, attempt by attempt.
    const remembered = sim.webhooks.log.list({ limit: EVENTS })?.deliveries ?? []
    expect(remembered.length).toBeGreaterThan(EVENTS / 20)
    const told = ({ attempts }: (typeof remembered)[0]) => attempts.map(({ startedAt }) => startedAt)
    expect(remembered.map((delivery) => [delivery.state, told(delivery)])).toEqual(
      remembered.map(({ taskId }) => [states.get(taskId), records.get(taskId)?.map(({ at }) => at)]),
    )
  },
  60_000,
)
