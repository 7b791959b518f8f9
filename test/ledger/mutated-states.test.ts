import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Simulator } from '../../src/index.js'
import { LedgerError } from '../../src/ledger/ledger-error.js'
import { SavedState } from '../../src/ledger/saved-state.js'
import { restoreSpaces, rowsOf } from '../../src/ledger/spaces.js'
import { readStateFile } from '../../src/ledger/state-file.js'
import { isDeep } from '../support/deep.js'
import { create } from '../support/simulations.js'
import { mutated, mutations } from './mutations.js'
import { type RichState, richStates, simulatorFor } from './rich-states.js'
import { ask, useForADay } from './use-state.js'

const COUNT = 3
let states: readonly RichState[]

beforeAll(async () => {
  states = await richStates()
  expect(states).toHaveLength(COUNT)
})

/** 3,000 mutations in `npm run test:deep`, in tests that are short enough for a time limit. */
const PARTS = Array.from({ length: isDeep ? 4 : 1 }, (_, part) => part)
const RUNS = isDeep ? 60 : 10

const mutation = fc.tuple(fc.nat(COUNT - 1), mutations)
const stateAt = (index: number) => states[index] as RichState

/** The rows of a simulator that an import must not change. The import itself is a request. */
const rowsIn = (sim: Simulator) =>
  [...rowsOf(sim)].filter(({ kind }) => kind !== 'requests' && kind !== 'meta')

test.each(PARTS)(
  'a state with mistakes is rejected and changes nothing, or can be used: part %i',
  async (part) => {
    await fc.assert(
      fc.asyncProperty(mutation, async ([index, all]) => {
        const sim = simulatorFor(stateAt(index))
        await create(sim, { model: 'acme/image-1', input: { prompt: 'before' } })
        const before = rowsIn(sim)
        const body = mutated(stateAt(index).text, all)
        const headers = { 'content-type': 'application/jsonl' }
        const reply = await ask(sim, 'PUT', '/_sim/state.jsonl', { body, headers })
        if (reply.status === 200) await useForADay(sim)
        else {
          expect([400, 409, 413]).toContain(reply.status)
          expect(rowsIn(sim)).toEqual(before)
        }
        sim.close()
      }),
      { numRuns: RUNS, seed: 1_000 + part },
    )
  },
)

test.each(PARTS)('a ledger with mistakes is rejected, or its state can be used: part %i', async (part) => {
  await fc.assert(
    fc.asyncProperty(mutation, async ([index, all]) => {
      const sim = simulatorFor(stateAt(index))
      const error = await restore(sim, mutated(stateAt(index).text, all))
      if (error === undefined) await useForADay(sim)
      else expect(error).toBeInstanceOf(LedgerError)
      sim.close()
    }),
    { numRuns: RUNS, seed: 2_000 + part },
  )
})

/** Restores a simulator from the rows of a ledger. A ledger has no invalid places, and no place twice. */
async function restore(sim: Simulator, text: string): Promise<unknown> {
  let rows: ReturnType<typeof readStateFile>
  try {
    rows = readStateFile(text)
  } catch {
    return undefined
  }
  try {
    await restoreSpaces(sim, await SavedState.read([rows]), 'as-if-running')
    return undefined
  } catch (error) {
    return error
  }
}
