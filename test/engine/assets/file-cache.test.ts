import { expect, test } from 'vitest'
import { FileCache } from '../../../src/engine/assets/file-cache.js'
import { MemoryBudget } from '../../../src/engine/memory/budget.js'
import { readMediaSpec } from '../../../src/kinds/built-in-kinds.js'
import { aTask } from '../../support/tasks.js'

/** Creates a FileCache of a number of bytes, with a record of its renderings. */
function filesOf({ size = 10, capacity = 100 } = {}) {
  const rendered: string[] = []
  const files = new FileCache(
    {
      async render({ id }, file) {
        rendered.push(`${id}/${file}`)
        return new Uint8Array(size).fill(file)
      },
    },
    new MemoryBudget(Infinity),
    capacity,
  )
  return { files, rendered }
}

test('the file cache renders a file once for any number of concurrent and later fetches', async () => {
  const { files, rendered } = filesOf()
  const all = await Promise.all([1, 2, 3].map(() => files.get(aTask(), 0)))
  expect(new Set(all).size).toBe(1)
  expect(files.get(aTask(), 0)).toBe(all[0])
  expect(rendered).toEqual(['task_1/0'])
})

test('the file cache keeps no more bytes than the budget, and evicts the least recently fetched files first', async () => {
  const { files, rendered } = filesOf({ size: 40 })
  for (const file of [0, 1, 0, 2, 0, 1]) await files.get(aTask(), file)
  expect(rendered).toEqual(['task_1/0', 'task_1/1', 'task_1/2', 'task_1/1'])
})

test('the file cache forgets the text with the files of a task together with them', async () => {
  const { files } = filesOf()
  files.texts.set('task_1', { text: 'x', bytes: new Uint8Array(1), given: [], until: Infinity }, 1)
  files.delete(aTask())
  expect(files.texts.get('task_1')).toBeUndefined()
})

test('the file cache serves a file larger than the budget, and does not keep it', async () => {
  const { files, rendered } = filesOf({ size: 101 })
  await files.get(aTask(), 0)
  expect((await files.get(aTask(), 0)).bytes.length).toBe(101)
  expect(rendered).toHaveLength(2)
})

test('the file cache evicts the files of a forgotten task, and frees their bytes', async () => {
  const { files, rendered } = filesOf({ size: 40 })
  const forgotten = aTask({ result: { files: 2, output: undefined } })
  const other = aTask({ id: 'task_2' })
  for (const [task, file] of [
    [other, 0],
    [forgotten, 0],
  ] as const)
    await files.get(task, file)
  files.delete(forgotten)
  await files.get(other, 1)
  // Everything fits, so no kept file is rendered again.
  for (const file of [0, 1]) await files.get(other, file)
  expect(rendered).toEqual(['task_2/0', 'task_1/0', 'task_2/1'])
  await files.get(forgotten, 0)
  expect(rendered).toHaveLength(4)
})

test('the file cache retries a failed rendering at the next fetch', async () => {
  let tries = 0
  const files = new FileCache(
    {
      async render() {
        tries += 1
        if (tries === 1) throw new Error('no ink')
        return new Uint8Array(1)
      },
    },
    new MemoryBudget(Infinity),
  )
  await expect(files.get(aTask(), 0)).rejects.toThrow('no ink')
  expect((await files.get(aTask(), 0)).bytes.length).toBe(1)
})

test('the ETag of a file identifies its bytes', async () => {
  const { files } = filesOf()
  const [one, two] = [await files.get(aTask(), 0), await files.get(aTask(), 1)]
  expect(one.etag).toMatch(/^"[0-9a-f]{32}"$/)
  expect(one.etag).not.toBe(two.etag)
  expect((await filesOf().files.get(aTask(), 0)).etag).toBe(one.etag)
})

test('a task that returns after a reset with another specification gets a new file', async () => {
  const { files, rendered } = filesOf()
  await files.get(aTask(), 0)
  await files.get(aTask({ media: readMediaSpec('image', { width: 99 }) }), 0)
  expect(rendered).toHaveLength(2)
})
