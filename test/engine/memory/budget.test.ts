import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryBudget } from '../../../src/engine/memory/budget.js'
import { ByteCache } from '../../../src/engine/memory/caches.js'

const HOLDERS = ['files', 'ended_deliveries', 'journal'] as const

const writes = fc.array(
  fc.record({ cache: fc.nat({ max: 3 }), key: fc.nat({ max: 9 }), bytes: fc.integer({ min: 0, max: 120 }) }),
  { maxLength: 80 },
)

test('caches never retain more than the budget, and the budget counts exactly what they retain', () => {
  fc.assert(
    fc.property(writes, fc.integer({ min: 50, max: 400 }), (writes, limit) => {
      const budget = new MemoryBudget(limit)
      const caches = [0, 1, 2, 3].map(
        (index) => new ByteCache<number>(budget, HOLDERS[index % 3] ?? 'files', 200),
      )
      for (const { cache, key, bytes } of writes) caches[cache]?.set(String(key), bytes, bytes)
      const kept = caches.flatMap((cache) =>
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => cache.get(String(key)) ?? 0),
      )
      expect(budget.used).toBe(kept.reduce((sum, bytes) => sum + bytes, 0))
      expect(budget.used).toBeLessThanOrEqual(limit)
      for (const cache of caches) cache.close()
      expect(budget.used).toBe(0)
    }),
  )
})

test('files are evicted before records, starting with the largest account of a holder', () => {
  const budget = new MemoryBudget(100)
  const [small, large] = [new ByteCache(budget, 'files', 100), new ByteCache(budget, 'files', 100)]
  const records = new ByteCache(budget, 'journal', 100)
  small.set('file', 'small', 20)
  large.set('file', 'large', 40)
  records.set('entry', 'record', 40)
  expect(budget.tryToFit(40)).toBe(true)
  expect([small.get('file'), large.get('file'), records.get('entry')]).toEqual(['small', undefined, 'record'])
  expect(budget.tryToFit(100)).toBe(true)
  expect(budget.tryToFit(101)).toBe(false)
})

test('a closed cache keeps nothing', () => {
  const cache = new ByteCache(new MemoryBudget(100), 'files', 100)
  cache.close()
  cache.set('file', 'late', 10)
  expect(cache.get('file')).toBeUndefined()
})

test('transfers have a separate share and evict nothing', () => {
  const budget = new MemoryBudget(256 * 1024 * 1024)
  const cache = new ByteCache(budget, 'files', Infinity)
  cache.set('file', 'large', budget.limit)
  expect(budget.canTransfer(budget.limit / 4)).toBe(true)
  budget.transfers.add(budget.limit / 4)
  expect([cache.get('file'), budget.canTransfer(1)]).toEqual(['large', false])
})
