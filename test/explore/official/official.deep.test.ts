import { expect, it, vi } from 'vitest'
import { exploreInProcess } from '../../../src/vitest/explore.js'
import { readResults, resultsOf } from './results.js'

// The clients keep the `fetch` and the timers that they find when they are loaded.
const { FLOWS } = await import('./flows.js')

/** `npm run test:official` makes all runs. */
const isWhole = process.env['EXPLORE_WHOLE'] !== undefined
const PART = isWhole
  ? {}
  : { places: ['tasks.create'], deviations: ['lost', 'hang', 'invalid_json', '401', '503'] }
const LIMIT = 600_000

it.for(FLOWS)(
  'the results of $client are those that the page about it shows',
  { timeout: LIMIT },
  async ({ client, dialect, run }, { task }) => {
    // A client prints the states of its task.
    vi.spyOn(console, 'log').mockImplementation(() => {})
    // The waits of some clients are random: those of fal exceed an outage of 30 s by a second on average.
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const report = await exploreInProcess(client, { dialect, ...PART }, run)
    const results = resultsOf(client, report)
    Object.assign(task.meta, { results: { [client]: results } })
    if (isWhole) return
    expect(Object.keys(results.runs).length).toBeGreaterThan(3)
    expect(readResults().clients[client]?.runs).toMatchObject(results.runs)
  },
)
