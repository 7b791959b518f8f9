import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parseJson } from '../../src/engine/json.js'
import { accepts } from '../../src/ledger/rows/accepts.js'
import { flawOfRow, isRowKind, ROW_KINDS } from '../../src/ledger/rows/check-row.js'
import { ROWS } from '../../src/ledger/rows/rows.js'
import { runs } from '../support/deep.js'
import { mutated, mutations } from './mutations.js'
import { richStates } from './rich-states.js'

interface Line {
  readonly kind: string
  readonly seq: number
  readonly value?: unknown
}

const linesIn = (text: string): Line[] =>
  text
    .split('\n')
    .slice(1, -2)
    .map((line) => parseJson(line) as unknown as Line)

test('every kind of rows is in the states of these tests, and every row is valid', async () => {
  const lines = (await richStates()).flatMap(({ text }) => linesIn(text))
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(ROW_KINDS))
  for (const { kind, seq, value } of lines)
    expect(isRowKind(kind) && flawOfRow(kind, seq, value), `${kind} ${seq}`).toBe(undefined)
})

test('a compiled schema accepts what Valibot accepts, and the error names the field', async () => {
  const texts = (await richStates()).map(({ text }) => text)
  fc.assert(
    fc.property(fc.constantFrom(...texts), mutations, (text, all) => {
      const before = new Set(text.split('\n'))
      for (const line of mutated(text, all).split('\n')) {
        const { kind, seq, value } = before.has(line) ? ({} as Line) : (parseJson(line) as unknown as Line)
        if (value === undefined || typeof kind !== 'string' || !isRowKind(kind)) continue
        const schema: v.GenericSchema = seq === 0 ? ROWS[kind].first : ROWS[kind].others
        const isValid = v.safeParse(schema, value).success
        expect([line.slice(0, 300), accepts(schema)(value)]).toEqual([line.slice(0, 300), isValid])
        if (!isValid)
          expect(flawOfRow(kind, seq, value)).toMatch(/^(?:its value must be|`.+` (?:must be|is ))/)
      }
    }),
    { numRuns: runs(50, 2_000) },
  )
})
