import { expect, it } from 'vitest'
import { baselineRemarks } from '../../src/explore/baseline.js'
import type { RunFacts } from '../../src/explore/run.js'
import type { Finding } from '../../src/inspect/findings/finding.js'
import { PLACES, reached } from './fake-driver.js'

const POLLS = PLACES.filter((place) => !place.startsWith('webhook:'))

function remarksOn(facts: Partial<RunFacts>): string[] {
  const base = { places: POLLS.map((id) => reached(id)), findings: [], rejectedWebhooks: [] }
  return baselineRemarks({ ...base, ...facts } as unknown as RunFacts)
}

it('a baseline that shows each state of a task has no remarks', () => {
  expect(remarksOn({})).toEqual([])
})

it('the mistakes of a client in the baseline are named, because they do not count in the runs', () => {
  const findings = [
    { id: 'polls-too-fast', severity: 'warning' },
    { id: 'unknown-fields', severity: 'note' },
    // The report shows an error as a problem.
    { id: 'key-sent-to-file-host', severity: 'error' },
  ] as Finding[]
  expect(remarksOn({ findings })).toEqual([
    expect.stringMatching(/mistakes also without failures.*polls-too-fast\./),
  ])
})

it('a receiver that rejects genuine webhooks makes failures of webhooks meaningless', () => {
  const rejectedWebhooks = ['task.succeeded#1: 401']
  expect(remarksOn({ rejectedWebhooks })).toEqual([
    expect.stringContaining('rejects genuine webhooks also without failures (task.succeeded#1: 401)'),
  ])
})

it('a client whose polls find only ends gets a remark, unless webhooks tell it of ends', () => {
  const without = (places: readonly string[]) =>
    places.filter((place) => !place.endsWith('.processing')).map((id) => reached(id))
  expect(remarksOn({ places: without(POLLS) })).toEqual([
    expect.stringMatching(/found its task at its end.*--speed/),
  ])
  expect(remarksOn({ places: without(PLACES) })).toEqual([])
})
