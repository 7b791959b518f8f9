import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryBudget } from '../../../src/engine/memory/budget.js'
import { Retention } from '../../../src/engine/tasks/retention.js'
import { aTask } from '../../support/tasks.js'

/** Tasks that end one after the other; the webhook of each is pending for so many further ends. */
const ends = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 })).map((pendingFor) => ({ pendingFor })),
  { maxLength: 60 },
)

/** A retention, the ids that it has forgotten, and the ids with a pending webhook. */
function retentionOf({ keep = Infinity, limit = Infinity }: { keep?: number; limit?: number }) {
  const awaited = new Set<string>()
  const forgotten: string[] = []
  const budget = new MemoryBudget(limit)
  const retention = new Retention({
    keep,
    budget,
    isAwaited: (id) => awaited.has(id),
    forget: (id) => {
      forgotten.push(id)
    },
  })
  const end = (id: string, inputBytes = 0) => {
    const task = aTask({ id, inputBytes })
    retention.created(task)
    retention.ended(task)
  }
  const settle = (id: string) => {
    awaited.delete(id)
    if (retention.isOverdue(id)) retention.releaseOverdue(id)
  }
  return { retention, budget, awaited, forgotten, end, settle }
}

test('the task that ended first is forgotten first, but not while its webhook is pending', () => {
  fc.assert(
    fc.property(ends, fc.integer({ min: 1, max: 8 }), (ends, keep) => {
      const { awaited, forgotten, end, settle } = retentionOf({ keep })
      const pendingFor = (id: string) => ends[Number(id)]?.pendingFor ?? 0
      for (const [now] of ends.entries()) {
        if (pendingFor(String(now)) > 0) awaited.add(String(now))
        end(String(now))
        for (const id of [...awaited]) if (now - Number(id) >= pendingFor(id)) settle(id)
        const beyond = Array.from({ length: Math.max(0, now + 1 - keep) }, (_, index) => String(index))
        expect([...forgotten].sort()).toEqual(beyond.filter((id) => !awaited.has(id)).sort())
      }
      const promptly = forgotten.filter((id) => pendingFor(id) <= keep)
      expect(promptly).toEqual([...promptly].sort((a, b) => Number(a) - Number(b)))
    }),
  )
})

test('a task whose webhook is delivered before its turn stays until its turn', () => {
  const { forgotten, end, settle } = retentionOf({ keep: 1 })
  end('first')
  settle('first')
  expect(forgotten).toEqual([])
  end('second')
  expect(forgotten).toEqual(['first'])
})

test('ended tasks beyond the memory budget are forgotten, the oldest first, and live ones are not', () => {
  const { retention, budget, awaited, forgotten, end } = retentionOf({ limit: 100_000 })
  awaited.add('pending')
  retention.created(aTask({ id: 'live', inputBytes: 30_000 }))
  end('pending', 20_000)
  for (const id of ['one', 'two', 'three']) end(id, 20_000)
  expect(forgotten).toEqual(['one'])
  expect(budget.fits(60_000)).toBe(false)
  expect(forgotten).toEqual(['one', 'two', 'three'])
  expect(budget.used).toBeGreaterThan(50_000)
  retention.clear()
  expect(budget.used).toBe(0)
})
