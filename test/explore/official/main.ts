/**
 * Explores the official clients, and writes what each one makes of each failure to results.json and to the page about
 * them in docs/reference.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { launch } from '../../support/processes.js'
import { harness, print } from '../../support/runner.js'
import { officialPage, PAGE } from './page.js'
import { type ClientResults, type OfficialResults, RESULTS } from './results.js'

const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))

interface SuiteReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string
      readonly meta: { readonly results?: Readonly<Record<string, ClientResults>> }
    }[]
  }[]
}

/** In milliseconds. */
const LONGEST_RUN = 900_000

await harness('test:official', LONGEST_RUN, async () => {
  const args = ['run', '--mode', 'deep', '--reporter', 'json', 'test/explore/official']
  const env = { ...process.env, EXPLORE_WHOLE: '1' }
  const child = launch(process.execPath, [VITEST, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const [output, [status]] = await Promise.all([text(child.stdout as Readable), once(child, 'exit')])
  const { testResults } = JSON.parse(output.slice(output.indexOf('{'))) as SuiteReport
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const clients = Object.assign(
    {},
    ...all.map(({ meta }) => meta.results ?? {}),
  ) as OfficialResults['clients']
  const results: OfficialResults = { date: new Date().toISOString().slice(0, 10), clients }
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(PAGE, officialPage(results))
  print(`Wrote the results of ${Object.keys(clients).length} clients.`)
  process.exitCode = status
  return undefined
})
