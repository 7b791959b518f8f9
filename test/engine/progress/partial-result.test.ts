import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf } from '../../../src/engine/progress/output-parts.js'
import { partialResult } from '../../../src/engine/progress/task-progress.js'

const TEXT = 'All work and no play makes a test.'

test('a partial text is the beginning of the whole, and grows with each part', () => {
  const output = { message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }
  const production = { result: { files: 0, output }, usage: {}, text: TEXT }
  const contentAt = (ready: number) => {
    const result = partialResult(production, partsOf(production), ready)
    const message = result?.output?.['message'] as { content: string } | undefined
    return message?.content ?? ''
  }
  fc.assert(
    fc.property(fc.nat(8), fc.nat(8), (a, b) => {
      const [less, more] = [contentAt(Math.min(a, b)), contentAt(Math.max(a, b))]
      expect(TEXT.startsWith(more) && more.startsWith(less)).toBe(true)
    }),
  )
  expect([contentAt(0), contentAt(2), contentAt(8)]).toEqual(['', 'All work', TEXT])
})

test('a partial result has the files that are ready, and no output of the scenario', () => {
  const production = { result: { files: 4, output: undefined }, usage: {} }
  const parts = partsOf(production)
  const filesAt = [0, 1, 4].map((ready) => partialResult(production, parts, ready)?.files)
  expect(filesAt).toEqual([undefined, 1, 4])
  const replaced = { ...production, result: { files: 4, output: { best: '{{file}}' } } }
  expect(partialResult(replaced, parts, 2)).toBeUndefined()
})
