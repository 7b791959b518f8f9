import { expect, test } from 'vitest'
import type { FindingContext } from '../../../src/inspect/findings/finding-context.js'
import { slowWebhook } from '../../../src/inspect/findings/rules/webhook-handling.js'
import { Waits } from '../../../src/inspect/findings/waits.js'

/** Judges a receiver that took these milliseconds for webhooks of one event. */
function judge(...took: readonly number[]) {
  return judgeOnClock(0, ...took)
}

/** @param waited the milliseconds that passed meanwhile on the clock on which its timers run */
function judgeOnClock(waited: number, ...took: readonly number[]) {
  const webhookAttempts = took.map((each, index) => ({
    delivery: { url: 'http://localhost:3000/hooks', event: 'task.succeeded', taskId: `task_${index}` },
    attempt: { number: 1, startedAt: 1_000, took: each, status: 204 },
    answeredAt: 1_000 + waited,
  }))
  const thresholds = { webhook_answer: 5_000 }
  const context = { webhookAttempts, thresholds, histories: [], waits: new Waits(0, true) }
  return slowWebhook.check(context as unknown as FindingContext)
}

test('a receiver that is late for half of the webhooks of an event is slow', () => {
  expect(judge(6_000)).toMatchObject([{ seen: 'The receiver answered after 6 s.' }])
  expect(judge(6_000, 20)).toHaveLength(1)
})

test('a receiver that is late once among many is not judged, because the machine may have been busy', () => {
  expect(judge(20, 6_000, 30)).toEqual({ reason: expect.stringContaining('1 of 3') })
})

test('a receiver that is late only on the clock of its timers is not judged', () => {
  expect(judgeOnClock(12_000, 1_000)).toEqual({ reason: expect.stringContaining('12 s passed on the clock') })
})
