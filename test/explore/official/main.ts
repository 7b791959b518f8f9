/** Explores the official clients, and prints what each one makes of each failure as Markdown. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { toMarkdown } from '../../../src/explore/formats/markdown.js'
import type { ExplorationReport } from '../../../src/explore/report.js'
import { launch } from '../../support/processes.js'
import { harness, print } from '../../support/runner.js'

const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))

interface SuiteReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly meta: { readonly exploration?: ExplorationReport }
    }[]
  }[]
}

/** In milliseconds. */
const LONGEST_RUN = 900_000

await harness('test:official', LONGEST_RUN, async () => {
  const args = ['run', '--mode', 'deep', '--reporter', 'json', 'test/explore/official']
  const child = launch(process.execPath, [VITEST, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [output, [status]] = await Promise.all([text(child.stdout as Readable), once(child, 'exit')])
  const { testResults } = JSON.parse(output.slice(output.indexOf('{'))) as SuiteReport
  for (const { meta } of testResults.flatMap(({ assertionResults }) => assertionResults))
    if (meta.exploration !== undefined) print(toMarkdown(meta.exploration))
  process.exitCode = status
  return undefined
})
