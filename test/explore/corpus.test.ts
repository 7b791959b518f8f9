import { expect, it } from 'vitest'
import type { ExplorationReport } from '../../src/explore/report.js'
import { exploreInProcess } from '../../src/vitest/explore.js'
import { sampleOf } from '../support/deep.js'
import { CLIENTS } from './corpus/clients.js'

it.each(sampleOf(2, CLIENTS))('the correct client $name has no problems', async ({ name, options, run }) => {
  const report = await exploreInProcess(name, options, (context) => run(context, new Set()))
  expect(problemsIn(report)).toBe('')
})

function problemsIn({ problems }: ExplorationReport): string {
  return problems.map(({ result, runs, what }) => `${result} ${runs.join(' ')}: ${what}`).join('\n')
}
