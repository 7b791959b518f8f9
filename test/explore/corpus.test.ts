import { expect, it } from 'vitest'
import type { ExplorationReport } from '../../src/explore/report.js'
import { exploreInProcess } from '../../src/vitest/explore.js'
import { sampleOf } from '../support/deep.js'
import { CLIENTS } from './corpus/clients.js'
import { MISTAKES } from './corpus/mistakes.js'

it.each(sampleOf(2, CLIENTS))('the correct client $name has no problems', async ({ name, options, run }) => {
  const report = await exploreInProcess(name, options, (context) => run(context, new Set()))
  expect(problemsIn(report)).toBe('')
})

it.each(sampleOf(3, MISTAKES))(
  'a problem shows that $client makes the mistake: $mistake',
  async (planted) => {
    const client = CLIENTS.find(({ name }) => name === planted.client)
    if (client === undefined) throw new Error(`There is no client ${planted.client}.`)
    const { problems } = await exploreInProcess(client.name, client.options, (context) =>
      client.run(context, new Set([planted.mistake])),
    )
    const results = [...new Set(problems.map(({ result }) => result))]
    const found = results.filter((result) => planted.results.includes(result))
    expect(found, `found ${results.join(', ') || 'nothing'}`).not.toEqual([])
  },
)

function problemsIn({ problems }: ExplorationReport): string {
  return problems.map(({ result, runs, what }) => `${result} ${runs.join(' ')}: ${what}`).join('\n')
}
