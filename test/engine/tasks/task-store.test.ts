import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TaskStore } from '../../../src/engine/tasks/task-store.js'
import type { ListQuery, Task } from '../../../src/index.js'
import { aTask } from '../../support/tasks.js'

async function storeOf(tasks: readonly Task[]): Promise<TaskStore> {
  const store = new TaskStore()
  for (const task of tasks) await store.add(task)
  return store
}

/** Follows the cursors from page to page. */
async function pagesOf(store: TaskStore, query: ListQuery): Promise<string[][]> {
  const pages: string[][] = []
  let after = query.after
  for (;;) {
    const page = await store.list({ ...query, after })
    const ids = page?.tasks.map(({ id }) => id) ?? []
    pages.push(ids)
    if (!page?.hasMore) return pages
    after = ids.at(-1)
  }
}

const tasks = fc
  .array(
    fc.record({
      owner: fc.constantFrom('sk_one', 'sk_two'),
      status: fc.constantFrom('processing' as const, 'succeeded' as const),
      model: fc.constantFrom('acme/a', 'acme/b'),
    }),
    { maxLength: 40 },
  )
  .map((rows) => rows.map((row, index) => aTask({ ...row, id: `task_${index}` })))
const maybe = <Value>(...values: Value[]) => fc.constantFrom(undefined, ...values)

test('the pages contain exactly the tasks of the owner that pass the filters, in either order', async () => {
  const query = fc.record({
    owner: fc.constantFrom('sk_one', 'sk_two', 'sk_three'),
    status: maybe('processing' as const, 'succeeded' as const),
    model: maybe('acme/a', 'acme/b', 'acme/c'),
    limit: fc.integer({ min: 1, max: 15 }),
    ascending: maybe(true),
  })
  await fc.assert(
    fc.asyncProperty(tasks, query, async (made, asked) => {
      const pages = await pagesOf(await storeOf(made), asked)
      const expected = made
        .filter((task) => task.owner === asked.owner)
        .filter((task) => asked.status === undefined || task.status === asked.status)
        .filter((task) => asked.model === undefined || task.model === asked.model)
        .map((task) => task.id)
      if (!asked.ascending) expected.reverse()
      expect(pages.flat()).toEqual(expected)
      expect(pages.slice(0, -1).every((page) => page.length === asked.limit)).toBe(true)
      // The last page is not empty, because a page has a cursor only if more tasks follow.
      expect(pages.length).toBe(Math.max(1, Math.ceil(expected.length / asked.limit)))
    }),
  )
})

test('the pages with newer tasks lead back over the same tasks, each page in their order', async () => {
  const query = fc.record({
    owner: maybe('sk_one', 'sk_two'),
    status: maybe('processing' as const, 'succeeded' as const),
    limit: fc.integer({ min: 1, max: 7 }),
    ascending: maybe(true),
  })
  await fc.assert(
    fc.asyncProperty(tasks, query, fc.nat(20), async (made, asked, cut) => {
      const store = await storeOf(made)
      for (const { id } of made.slice(3, 3 + cut)) store.delete(id)
      const whole = store.list({ ...asked, limit: 100 })?.tasks.map(({ id }) => id) ?? []
      const found = whole.slice(-1)
      let hasMore = found.length > 0
      while (hasMore) {
        const page = store.list({ ...asked, before: found[0] ?? '' })
        expect(page?.tasks.length).toBeLessThanOrEqual(asked.limit)
        found.unshift(...(page?.tasks.map(({ id }) => id) ?? []))
        hasMore = page?.hasMore ?? false
      }
      expect(found).toEqual(whole)
    }),
  )
})

test('a deleted task is in no page, and the others keep their order', async () => {
  const steps = fc.array(
    fc.record({
      owner: fc.constantFrom('sk_one', 'sk_two'),
      status: fc.constantFrom('processing' as const, 'succeeded' as const),
      // Deletes many tasks at once now and then, because only this compacts the list.
      deleted: fc.array(fc.nat(200), { maxLength: 4 }),
    }),
    { maxLength: 150, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const store = new TaskStore()
      let left: Task[] = []
      for (const [index, { owner, status, deleted }] of steps.entries()) {
        const task = aTask({ id: `task_${index}`, owner, status: 'processing' })
        store.add(task)
        left.push(store.update(task.id, (made) => ({ ...made, status })) ?? task)
        for (const number of deleted) {
          const gone = left.find(({ id }) => id === `task_${number}`)
          expect(store.delete(`task_${number}`)).toEqual(gone)
          left = left.filter((other) => other !== gone)
        }
      }
      for (const owner of ['sk_one', 'sk_two', undefined])
        for (const status of ['processing', 'succeeded', undefined] as const) {
          const expected = left
            .filter((task) => (owner ?? task.owner) === task.owner && (status ?? task.status) === task.status)
            .map(({ id }) => id)
            .reverse()
          expect((await pagesOf(store, { owner, status, limit: 7 })).flat()).toEqual(expected)
          const [after] = expected
          const rest = await pagesOf(store, { owner, status, after, limit: 7 })
          if (after !== undefined) expect(rest.flat()).toEqual(expected.slice(1))
        }
      for (const task of left) expect(store.get(task.id)).toEqual(task)
    }),
  )
})

test('a deleted task is unknown, and its id is free again', async () => {
  const store = await storeOf([aTask(), aTask({ id: 'task_2' })])
  expect(store.delete('task_1')).toEqual(aTask())
  expect(store.delete('task_1')).toBeUndefined()
  expect(store.get('task_1')).toBeUndefined()
  expect(store.update('task_1', (task) => task)).toBeUndefined()
  expect(store.list({ owner: 'sk_one', limit: 5, after: 'task_1' })).toBeUndefined()
  store.add(aTask())
  expect(store.list({ owner: 'sk_one', limit: 5 })?.tasks.map(({ id }) => id)).toEqual(['task_1', 'task_2'])
})

test('tasks created between two pages shift nothing', async () => {
  const store = await storeOf([1, 2, 3].map((number) => aTask({ id: `task_${number}` })))
  const first = await store.list({ owner: 'sk_one', limit: 2 })
  await store.add(aTask({ id: 'task_4' }))
  const second = await store.list({ owner: 'sk_one', limit: 2, after: first?.tasks.at(-1)?.id })
  expect(second?.tasks.map(({ id }) => id)).toEqual(['task_1'])
})

test.each(['task_2', 'task_9'])(
  'a cursor that is not a task of the owner returns no page: %s',
  async (after) => {
    const store = await storeOf([aTask({ id: 'task_1' }), aTask({ id: 'task_2', owner: 'sk_two' })])
    expect(await store.list({ owner: 'sk_one', limit: 5, after })).toBeUndefined()
  },
)

test('every query sees a change', async () => {
  const store = await storeOf([aTask()])
  const changed = await store.update('task_1', (task) => ({ ...task, status: 'failed' }))
  expect(changed?.status).toBe('failed')
  expect((await store.get('task_1'))?.status).toBe('failed')
  expect((await store.list({ owner: 'sk_one', limit: 1, status: 'failed' }))?.tasks).toHaveLength(1)
})

test('a rejected change leaves the task unchanged', async () => {
  const store = await storeOf([aTask()])
  expect(await store.update('task_1', () => undefined)).toBeUndefined()
  expect(await store.get('task_1')).toEqual(aTask())
})

test('a cleared store is empty', async () => {
  const store = await storeOf([aTask()])
  await store.clear()
  expect(await store.get('task_1')).toBeUndefined()
  expect(await store.list({ owner: 'sk_one', limit: 5 })).toEqual({ tasks: [], hasMore: false })
})

test('every query finds a changed task in its new state and not in the old one', async () => {
  const made = Array.from({ length: 50 }, (_, index) => aTask({ id: `task_${index}`, status: 'processing' }))
  const store = await storeOf(made)
  for (const id of ['task_3', 'task_40']) store.update(id, (task) => ({ ...task, status: 'failed' }))
  for (const owner of [made[0]?.owner, undefined]) {
    const found = await pagesOf(store, { owner, status: 'failed', limit: 1 })
    expect(found).toEqual([['task_40'], ['task_3']])
    const rest = await pagesOf(store, { owner, status: 'processing', limit: 48 })
    expect(rest.flat()).toHaveLength(48)
    expect(rest.flat()).not.toContain('task_3')
    expect(await pagesOf(store, { owner, status: 'failed', after: 'task_0', limit: 1 })).toEqual([[]])
  }
})
