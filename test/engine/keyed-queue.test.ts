import { expect, test } from 'vitest'
import { KeyedQueue, type KeyedQueueLimits } from '../../src/engine/keyed-queue.js'

/** A queue whose jobs run until the test ends them. */
function openQueue(limits: KeyedQueueLimits) {
  const queue = new KeyedQueue(limits)
  const started: string[] = []
  const running: (() => void)[] = []
  const add = (key: string, times = 1) => {
    for (let count = 0; count < times; count++) {
      queue.add(key, (release) => {
        started.push(key)
        running.push(release)
      })
    }
  }
  return { queue, started, add, endFirst: () => running.shift()?.() }
}

test('a key with jobs that hang does not delay the jobs of another key', () => {
  const { add, started } = openQueue({ perKey: 2 })
  add('hanging', 5)
  add('other')
  expect(started).toEqual(['hanging', 'hanging', 'other'])
})

test('when the total limit is reached, the keys take turns', () => {
  const { add, started, endFirst } = openQueue({ perKey: 2, total: 4 })
  add('a', 5)
  add('b', 5)
  add('late', 2)
  expect(started).toEqual(['a', 'a', 'b', 'b'])
  for (let ended = 0; ended < 3; ended++) endFirst()
  expect(started.slice(4)).toEqual(['late', 'a', 'late'])
})

test('every waiting job starts eventually, in the order of its key', () => {
  const queue = new KeyedQueue({ perKey: 3, total: 10 })
  const started = new Map<string, number[]>()
  const running: (() => void)[] = []
  for (let number = 0; number < 50; number++) {
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      queue.add(key, (release) => {
        started.set(key, [...(started.get(key) ?? []), number])
        running.push(release)
      })
    }
  }
  while (running.length > 0) running.pop()?.()
  const all = Array.from({ length: 50 }, (_, number) => number)
  expect([...started.values()]).toEqual([all, all, all, all, all])
  expect(queue.isIdle).toBe(true)
})

test('jobs that end immediately do not exhaust the stack', () => {
  const queue = new KeyedQueue({ perKey: 1 })
  let release = () => {}
  let ended = 0
  queue.add('key', (end) => {
    release = end
  })
  for (let count = 0; count < 100_000; count++) {
    queue.add('key', (end) => {
      ended += 1
      end()
    })
  }
  release()
  expect(ended).toBe(100_000)
})

test('a cleared queue drops waiting jobs, and no longer counts running ones', () => {
  const { queue, add, started, endFirst } = openQueue({ perKey: 2, total: 2 })
  add('key', 5)
  queue.clear()
  expect(queue.isIdle).toBe(true)
  add('key', 5)
  expect(started).toHaveLength(4)
  endFirst()
  endFirst()
  expect(started).toHaveLength(4)
  endFirst()
  expect(started).toHaveLength(5)
})

test('a job returns its value or throws its error, and frees its place either way', async () => {
  const queue = new KeyedQueue({ total: 1 })
  const failed = queue.run('a', async () => {
    throw new Error('no file')
  })
  const done = queue.run('b', async () => 'done')
  await expect(failed).rejects.toThrow('no file')
  expect(await done).toBe('done')
  expect(queue.isIdle).toBe(true)
})
