import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../src/dialects/dialect.js'
import { Dialects } from '../../../src/dialects/dialects.js'
import { Chance } from '../../../src/engine/random.js'
import { isTerminal } from '../../../src/engine/tasks/task.js'
import { compare } from '../../../src/record/compare/compare.js'
import { recordedExchanges } from '../../../src/record/compare/recorded-exchanges.js'
import type { RecordingEntry } from '../../../src/record/recording/recording.js'
import { runs, sampleOf } from '../../support/deep.js'
import { piecesOf } from '../histories.js'
import { RECORDED_SERVICES } from '../replay/recorded-services.js'
import { FREEDOMS } from './freedoms.js'
import { type Mutation, mutationsOf } from './mutations.js'
import { recordService } from './recorded-service.js'

/** Of each service. */
const MUTATIONS = runs(8, 12)

/** The differences between a recording and a dialect, one line each. */
async function differencesIn(entries: readonly RecordingEntry[], dialect: Dialect): Promise<string[]> {
  const { differences } = await compare(recordedExchanges(piecesOf(...entries)), dialect)
  return differences.flatMap(({ kind, occurrences }) =>
    occurrences.map(({ exchange, field }) => `${kind} ${exchange} ${field}`),
  )
}

function allMutations(entries: readonly RecordingEntry[], { name, answers }: Dialect): readonly Mutation[] {
  const { status: state, words } = answers
  const ends = Object.keys(words).filter((word) => isTerminal(words[word] ?? 'queued'))
  const fields = FREEDOMS[name] ?? expect.unreachable(name)
  return mutationsOf(entries, { ...fields, state, words: Object.keys(words), ends })
}

/** Chooses mutations: of each kind in turn, so that rare kinds are among them. */
function draw(all: readonly Mutation[], seed: string): readonly Mutation[] {
  const random = Chance.of(seed).stream('mutations')
  const kinds = [...new Set(all.map(({ kind }) => kind))]
  return Array.from({ length: MUTATIONS }, (_, index) => {
    const some = all.filter(({ kind }) => kind === kinds[index % kinds.length])
    return some[random.int(some.length)] ?? expect.unreachable()
  })
}

describe.each(sampleOf(4, Object.keys(RECORDED_SERVICES)))('a recording of %s', (name) => {
  it('is equal to its dialect, and a change is reported where it is', async () => {
    const dialect = await new Dialects().load(name)
    const entries = await recordService(name, 'compare')
    expect(await differencesIn(entries, dialect)).toEqual([])
    const mutations = draw(allMutations(entries, dialect), name)
    for (const { kind, exchange, field, apply } of mutations)
      expect(await differencesIn(apply(), dialect)).toEqual([`${kind} ${exchange} ${field}`])
  })
})

describe('a comparison', () => {
  it('lists at most 1,000 differences', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`id_${index}`, 1]))
    const entry: RecordingEntry = {
      type: 'exchange',
      at: '2026-03-01T10:00:00.000Z',
      took: 100,
      request: { method: 'GET', url: 'https://api.example.com/api/v1/tasks/task_1', headers: {} },
      response: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { json: { id: 'task_1', status: 'queued', ...fields } },
      },
    }
    expect(
      (await compare(recordedExchanges(piecesOf(entry)), await new Dialects().load('tasks'))).differences,
    ).toHaveLength(1_000)
  })

  const poll = (status: string, seconds: number): RecordingEntry => ({
    type: 'exchange',
    at: `2026-03-01T10:00:0${seconds}.000Z`,
    took: 100,
    request: { method: 'GET', url: 'https://api.example.com/api/v1/tasks/task_1', headers: {} },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { json: { id: 'task_1', model: 'a/b', input: {}, status, created_at: '2026-03-01T10:00:00Z' } },
    },
  })
  const differences = async (...entries: RecordingEntry[]) =>
    differencesIn(entries, await new Dialects().load('tasks'))

  it('allows answers to overlapping requests in any order', async () => {
    const [first, second] = [poll('processing', 2), poll('queued', 1)]
    expect(await differences(first, { ...second, took: 2_000 } as RecordingEntry)).toEqual([])
    expect(await differences(first, poll('queued', 3))).toEqual(['order 2 status'])
  })

  it('takes a file of any type for an answer that is one', async () => {
    const entry = poll('', 1) as RecordingEntry & { type: 'exchange' }
    const file: RecordingEntry = {
      ...entry,
      request: { method: 'GET', url: 'https://api.stability.ai/v2beta/results/1', headers: {} },
      response: { status: 200, headers: { 'content-type': 'image/avif' } },
    }
    const stability = await new Dialects().load('stability')
    expect(await differencesIn([file], stability)).toEqual([])
    expect(await differencesIn([{ ...file, response: entry.response }], stability)).not.toEqual([])
  })

  it('counts an answer from another operation of the service as unknown', async () => {
    const entry = poll('queued', 1)
    const other = structuredClone(entry) as { request: { url: string } }
    other.request.url = 'https://api.example.com/api/v1/batches'
    expect(await differences(entry, other as unknown as RecordingEntry)).toEqual(['operation 2 '])
  })

  it('takes a redacted value for one of any type', async () => {
    const entry = structuredClone(poll('queued', 1)) as RecordingEntry & { type: 'exchange' }
    const redacted = JSON.parse(
      JSON.stringify(entry).replace('"input":{}', '"input":"[redacted 0123456789abcdef]"'),
    )
    expect(await differences(redacted)).toEqual([])
  })
})
