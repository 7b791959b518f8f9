import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEvents } from '../../../src/engine/events.js'
import { MemoryBudget } from '../../../src/engine/memory/budget.js'
import { Retention } from '../../../src/engine/tasks/retention.js'
import type { Delivery } from '../../../src/index.js'
import { aTask } from '../../support/tasks.js'
import { manualTime } from '../../support/time.js'

/** Tasks that end one after the other. The webhook of each is pending for a number of further ends. */
const ends = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 })).map((pendingFor) => ({ pendingFor })),
  { maxLength: 60 },
)

const aDelivery = (taskId: string, state: Delivery['state']): Delivery => ({
  id: 'dlv_00000001',
  taskId,
  format: 'tasks',
  event: 'task.succeeded',
  taskEvent: 'task.succeeded',
  url: 'http://receiver.test/',
  state,
  createdAt: 0,
  nextAt: undefined,
  attempts: [],
  payload: new Uint8Array(),
  rule: undefined,
  copyOf: undefined,
})

/** Creates a retention, with lists of forgotten ids and of ids with a pending webhook. */
function retentionOf({ keep = Infinity, limit = Infinity }: { keep?: number; limit?: number }) {
  const awaited = new Set<string>()
  const forgotten: string[] = []
  const budget = new MemoryBudget(limit)
  const events = createEvents()
  const { clock, schedule } = manualTime()
  const retention = new Retention({ time: { clock, schedule }, events, keep, budget })
  retention.onEvict = (id) => {
    forgotten.push(id)
  }
  const end = (id: string, inputBytes = 0) => {
    const task = aTask({ id, inputBytes })
    retention.created(task)
    retention.ended(task)
  }
  const deliver = (id: string) => {
    awaited.add(id)
    events.emit('delivery.opened', aDelivery(id, 'pending'))
  }
  const settle = async (id: string) => {
    awaited.delete(id)
    events.emit('delivery.ended', aDelivery(id, 'delivered'))
    await schedule.catchUp()
  }
  return { retention, budget, awaited, forgotten, end, deliver, settle }
}

test('the task that ended first is forgotten first, but not while its webhook is pending', async () => {
  await fc.assert(
    fc.asyncProperty(ends, fc.integer({ min: 1, max: 8 }), async (ends, keep) => {
      const { awaited, forgotten, end, deliver, settle } = retentionOf({ keep })
      const pendingFor = (id: string) => ends[Number(id)]?.pendingFor ?? 0
      for (const [now] of ends.entries()) {
        if (pendingFor(String(now)) > 0) deliver(String(now))
        end(String(now))
        for (const id of [...awaited]) if (now - Number(id) >= pendingFor(id)) await settle(id)
        const beyond = Array.from({ length: Math.max(0, now + 1 - keep) }, (_, index) => String(index))
        expect([...forgotten].sort()).toEqual(beyond.filter((id) => !awaited.has(id)).sort())
      }
      const immediate = forgotten.filter((id) => pendingFor(id) <= keep)
      expect(immediate).toEqual([...immediate].sort((a, b) => Number(a) - Number(b)))
    }),
  )
})

test('a task whose webhook is delivered early stays until its turn', async () => {
  const { forgotten, end, deliver, settle } = retentionOf({ keep: 1 })
  deliver('first')
  end('first')
  await settle('first')
  expect(forgotten).toEqual([])
  end('second')
  expect(forgotten).toEqual(['first'])
})

test('ended tasks beyond the memory budget are forgotten, the oldest first, and unfinished ones are not', () => {
  const { retention, budget, forgotten, end, deliver } = retentionOf({ limit: 100_000 })
  deliver('pending')
  retention.created(aTask({ id: 'live', inputBytes: 30_000 }))
  end('pending', 20_000)
  for (const id of ['one', 'two', 'three']) end(id, 20_000)
  expect(forgotten).toEqual(['one'])
  expect(budget.tryToFit(60_000)).toBe(false)
  expect(forgotten).toEqual(['one', 'two', 'three'])
  expect(budget.used).toBeGreaterThan(50_000)
  retention.clear()
  expect(budget.used).toBe(0)
})

test('deleted tasks free their bytes and are not evicted again, and the others keep their order', () => {
  const number = fc.nat(30)
  const step = fc.oneof(fc.record({ end: fc.constant(true) }), fc.record({ delete: number }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 25 }), (steps, keep) => {
      const { retention, budget, forgotten, end } = retentionOf({ keep })
      const empty = budget.used
      let kept: string[] = []
      const evicted: string[] = []
      for (const [index, step] of steps.entries()) {
        if ('end' in step) {
          end(String(index))
          kept.push(String(index))
          if (kept.length > keep) evicted.push(String(kept.shift()))
        } else if (kept.length > 0) {
          const id = kept[step.delete % kept.length] ?? ''
          kept = kept.filter((other) => other !== id)
          for (let time = 0; time < 2; time++) retention.deleted(aTask({ id, status: 'succeeded' }))
        }
      }
      expect(forgotten).toEqual(evicted)
      const each = budget.used / (kept.length || 1)
      for (const id of kept) retention.deleted(aTask({ id }))
      expect(budget.used).toBe(empty)
      expect(kept.length === 0 || each > 0).toBe(true)
    }),
  )
})
