import { expect, it } from 'vitest'
import { exploreInProcess } from '../../../src/vitest/explore.js'

// The clients keep the `fetch` and the timers that they find when they are loaded.
const { FLOWS } = await import('./flows.js')

/** Results of the versions that the tests pin: the id of a run, and what its client makes of it. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openai: { 'tasks.create#1:lost': 'paid_twice' },
  replicate: { 'tasks.create#1:lost': 'paid_twice', 'tasks.create#1:hang': 'hung' },
  '@fal-ai/client': {
    'tasks.create#1:lost': 'paid_twice',
    'tasks.create#1:invalid_json': 'lost_result',
    'tasks.create#1:hang': 'hung',
  },
  '@runwayml/sdk': { 'tasks.create#1:lost': 'paid_twice', 'tasks.create#1:401': 'crashed' },
}

it.for(FLOWS)('the known results of $client are found', async ({ client, dialect, run }, { task }) => {
  const report = await exploreInProcess(client, { dialect }, run)
  Object.assign(task.meta, { exploration: report })
  const results = new Map(report.runs.map(({ id, result }) => [id, result]))
  const known = KNOWN[client] ?? {}
  expect(Object.fromEntries(Object.keys(known).map((id) => [id, results.get(id)]))).toEqual(known)
})
