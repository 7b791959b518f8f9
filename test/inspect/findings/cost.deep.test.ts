import { expect, test } from 'vitest'
import type { FindingInput } from '../../../src/inspect/findings/finding-context.js'
import { checkClient } from '../../../src/inspect/findings/verdict.js'
import type { Entry } from '../../../src/inspect/journal/entry.js'
import { stage } from './stage.js'

/** Returns the CPU time of verdicts on the entries, which a busy machine does not change. */
function costOf(entries: readonly Entry[], input: FindingInput): number {
  const begin = process.cpuUsage()
  for (let count = 0; count < 10; count++) checkClient({ ...input, entries, now: 1e13 })
  const { user, system } = process.cpuUsage(begin)
  return user + system
}

/** Returns the same entries a number of times, each time for other tasks. */
function grown(entries: readonly Entry[], times: number): Entry[] {
  return Array.from({ length: times }, (_, round) =>
    JSON.parse(
      JSON.stringify(entries).replace(
        /task_\w{24}/g,
        (id) => `${id.slice(0, -4)}${String(round).padStart(4, '0')}`,
      ),
    ),
  ).flat()
}

// Linear growth takes sixteen times as long, and quadratic growth 256 times. The bound tolerates noise.
test('a verdict on sixteen times the data takes less than a hundred times as long', async () => {
  const on = stage({ scenario: 'flaky' }, { pollInterval: () => 200, looksBeforeRetry: false })
  for (let count = 0; count < 10; count++)
    await on.live(on.client.generate({ model: 'acme/image-1', input: { prompt: 'waves', count } }))
  const entries = [...on.sim.journal.entries()]
  const [few, many] = [grown(entries, 4), grown(entries, 64)]
  expect(many.length).toBeGreaterThan(8_000)
  const input = on.sim.findingInput({ final: true })
  costOf(few, input)
  expect(costOf(many, input) / costOf(few, input)).toBeLessThan(100)
})
