import { expect, it } from 'vitest'
import type { ExplorationReport } from '../../src/explore/report.js'
import { exploreInProcess } from '../../src/vitest/explore.js'
import { isDeep, sampleOf } from '../support/deep.js'
import { CLIENTS } from './corpus/clients.js'
import { MISTAKES } from './corpus/mistakes.js'

/** Without `--mode deep`: a few failures of a few clients, which take a second on a busy machine, too. */
const OPTIONS = isDeep ? {} : { deviations: ['lost', 'hang', 'stuck', '503'] }
const FOUND_BY_FEW = ['no timeout', 'blind retry', 'no deadline']
const PLANTED = isDeep
  ? MISTAKES
  : MISTAKES.filter(({ client, mistake }) => client === 'tasks: poll' && FOUND_BY_FEW.includes(mistake))

it.each(sampleOf(2, CLIENTS))('the correct client $name has no problems', async ({ name, options, run }) => {
  const report = await exploreInProcess(name, { ...options, ...OPTIONS }, (context) =>
    run(context, new Set()),
  )
  expect(problemsIn(report)).toBe('')
})

it.each(PLANTED)('a problem shows that $client makes the mistake: $mistake', async (planted) => {
  const client = CLIENTS.find(({ name }) => name === planted.client)
  if (client === undefined) throw new Error(`There is no client ${planted.client}.`)
  const { problems } = await exploreInProcess(client.name, { ...client.options, ...OPTIONS }, (context) =>
    client.run(context, new Set([planted.mistake])),
  )
  const results = [...new Set(problems.map(({ result }) => result))]
  const found = results.filter((result) => planted.results.includes(result))
  expect(found, `found ${results.join(', ') || 'nothing'}`).not.toEqual([])
})

function problemsIn({ problems }: ExplorationReport): string {
  return problems.map(({ result, runs, what }) => `${result} ${runs.join(' ')}: ${what}`).join('\n')
}
