import { expect, test } from 'vitest'
import type { JsonObject, Kind } from '../../src/index.js'
import { outputOf } from '../../src/kinds/built-in-kinds.js'
import { produce } from '../../src/kinds/produce.js'
import { aTask } from '../support/tasks.js'

/** Returns the output of a task that has succeeded, with file URLs replaced by their positions. */
async function outputFor(
  kind: Kind,
  input: JsonObject,
  output?: JsonObject,
): Promise<JsonObject | undefined> {
  const task = aTask({ kind, input, plan: { output } })
  const { result } = await produce(task)
  return outputOf({ ...task, result }, (file) => `file ${file}`)
}

test.each<[Kind, JsonObject, JsonObject]>([
  ['image', {}, { images: ['file 0'] }],
  ['image', { n: 2 }, { images: ['file 0', 'file 1'] }],
  ['image', { num_images: 3 }, { images: ['file 0', 'file 1', 'file 2'] }],
  ['image', { n: 1, num_images: 3 }, { images: ['file 0'] }],
  ['video', {}, { video: 'file 0' }],
  ['audio', {}, { audio: 'file 0' }],
  ['tool', {}, { result: { status: 'completed' } }],
])('the output of kind %s for %j is %j', async (kind, input, output) => {
  expect(await outputFor(kind, input)).toEqual(output)
})

test.each<[Kind, JsonObject, JsonObject]>([
  ['image', { n: 4 }, { images: 4 }],
  ['video', { duration: 8 }, { seconds: 8 }],
  ['audio', { duration: '2.5' }, { seconds: 2.5 }],
  ['video', {}, { seconds: 5 }],
  ['tool', {}, {}],
])('a task of kind %s with %j is billed by %j', async (kind, input, usage) => {
  expect((await produce(aTask({ kind, input }))).usage).toEqual(usage)
})

test('each file placeholder in a scenario output becomes a separate file, at any depth', async () => {
  const output = {
    cover: '{{file}}',
    pages: [{ image: '{{file}}', number: 1 }, '{{file}}'],
    note: 'a {{file}} inside a sentence is text',
  }
  expect(await outputFor('image', {}, output)).toEqual({
    cover: 'file 0',
    pages: [{ image: 'file 1', number: 1 }, 'file 2'],
    note: 'a {{file}} inside a sentence is text',
  })
  expect((await produce(aTask({ plan: { output } }))).result.files).toBe(3)
})

test('a custom output without placeholders makes no file, and does not change the price', async () => {
  const task = aTask({ kind: 'image', input: { n: 2 }, plan: { output: { ok: true } } })
  expect(await produce(task)).toEqual({ result: { files: 0, output: { ok: true } }, usage: { images: 2 } })
})

test('a task that produced nothing has no output', () => {
  expect(outputOf(aTask(), () => 'file')).toBeUndefined()
})

test('a custom output can refer to the input and to its files', async () => {
  const output = {
    result: { source: '{{input.image_url}}', scale: '{{input.scale}}', url: '{{file}}' },
    note: '{{input.scale}}x of {{input.image_url}}',
  }
  const input = { image_url: 'https://example.com/a.png', scale: 4 }
  expect(await outputFor('tool', input, output)).toEqual({
    result: { source: 'https://example.com/a.png', scale: 4, url: 'file 0' },
    note: '4x of https://example.com/a.png',
  })
  expect(await outputFor('tool', { image_url: '{{file}}' }, output)).toMatchObject({
    result: { source: null, scale: null, url: 'file 0' },
  })
})
