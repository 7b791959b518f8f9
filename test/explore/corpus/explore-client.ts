import { expect } from 'vitest'
import type { RunResult } from '../../../src/explore/report.js'
import { exploreInProcess } from '../../../src/vitest/explore.js'
import { isDeep } from '../../support/deep.js'
import { CLIENTS, type CorpusClient } from './clients.js'
import type { PlantedMistake } from './mistakes.js'

/** Without `--mode deep`: a few failures, which take a second on a busy machine, too. */
const FEW = isDeep ? {} : { deviations: ['lost', 'hang', 'stuck', '503'] }

/** Expects that a correct client has no problems. */
export async function expectNoProblems({ name, options, run }: CorpusClient): Promise<void> {
  const { problems } = await exploreInProcess(name, { ...options, ...FEW }, (context) =>
    run(context, new Set()),
  )
  const lines = problems.map(({ result, runs, what }) => `${result} ${runs.join(' ')}: ${what}`)
  expect(lines.join('\n')).toBe('')
}

/** Explores a client with a mistake until a problem shows it. */
export async function expectFound({ client: name, mistake, results }: PlantedMistake): Promise<void> {
  const client = CLIENTS.find((each) => each.name === name)
  if (client === undefined) throw new Error(`There is no client ${name}.`)
  const found: RunResult[] = []
  const end = new AbortController()
  await exploreInProcess(
    name,
    { ...client.options, ...FEW },
    (context) => client.run(context, new Set([mistake])),
    {
      signal: end.signal,
      onRun({ ok, result }) {
        if (ok) return
        found.push(result)
        if (results.includes(result)) end.abort()
      },
    },
  )
  expect(results, `found ${[...new Set(found)].join(', ') || 'nothing'}`).toContain(found.at(-1))
}
