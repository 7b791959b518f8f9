import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JobQueue } from '../../../src/engine/clock/job-queue.js'

test('a queue returns the earliest job, and of those the one that was added first', () => {
  // Few instants, so that many jobs have the same one; undefined takes a job.
  const step = fc.option(fc.nat(5), { nil: undefined, freq: 3 })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const queue = new JobQueue<{ at: number; order: number }>()
      let expected: { at: number; order: number }[] = []
      for (const [order, at] of steps.entries()) {
        if (at === undefined) {
          expect(queue.take()).toBe(expected[0])
          expected = expected.slice(1)
        } else {
          const job = { at, order }
          queue.add(job)
          expected = [...expected, job].sort((a, b) => a.at - b.at || a.order - b.order)
        }
        expect(queue.first).toBe(expected[0])
      }
    }),
  )
})
