import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countOf, partAt, partsOf, readyOf } from '../../../src/engine/progress/output-parts.js'
import { progressOf } from '../../../src/engine/progress/progress-of.js'
import { end } from '../../../src/engine/tasks/lifecycle.js'
import { aTask } from '../../support/tasks.js'

const production = (files: number, text?: string) => ({
  result: { files, output: undefined },
  usage: {},
  text,
})

test('the pieces of any text together are the text, and none is empty or long', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const { pieces } = partsOf(production(0, text))
      expect(pieces.join('')).toBe(text)
      for (const piece of pieces) expect(piece.trim().length).toBeLessThanOrEqual(12)
      expect(pieces).not.toContain('')
    }),
  )
  expect(partsOf(production(0, 'You asked, and I answer. ')).pieces).toEqual([
    'You',
    ' asked,',
    ' and',
    ' I',
    ' answer. ',
  ])
  expect(partsOf(production(0, '今日はとても良い天気ですね。')).pieces).toHaveLength(2)
})

test('part i of n is ready from (i + 1) / n of the progress on, at its own instant', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20_000 }), (files, after) => {
      const parts = partsOf(production(files))
      const task = aTask({ startedAt: 40, createdAt: 40, plan: { end: { after } } })
      const ended = end(
        task,
        { status: 'succeeded', result: { files, output: undefined }, cost: 0 },
        40 + after,
      )
      let before = 40
      for (let index = 0; index < files; index++) {
        const part = partAt(ended ?? task, parts, index)
        expect(part).toMatchObject({ file: index })
        expect(part.at).toBeGreaterThanOrEqual(before)
        before = part.at
        if (index === files - 1 || (index + 1) / files > 0.98) continue
        expect(readyOf(countOf(parts), progressOf(task, { now: part.at }))).toBeGreaterThan(index)
        expect(readyOf(countOf(parts), progressOf(task, { now: part.at - 1 }))).toBeLessThanOrEqual(index)
      }
      expect(before).toBe(40 + after)
    }),
  )
})
