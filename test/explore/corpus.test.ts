import { expect, it } from 'vitest'
import { exploreInProcess } from '../../src/vitest/explore.js'
import { sampleOf } from '../support/deep.js'
import { CLIENTS } from './corpus/clients.js'

it.each(sampleOf(2, CLIENTS))('the correct client $name has no problems', async ({ name, options, run }) => {
  const begin = process.cpuUsage()
  const { summary, runs, problems, baseline, remarks } = await exploreInProcess(name, options, (context) =>
    run(context, new Set()),
  )
  const { user, system } = process.cpuUsage(begin)
  const cost = (user + system) / 1_000
  if (process.env['FIGURES'])
    console.log(
      name,
      summary.runs,
      'runs',
      baseline.requests,
      'requests',
      (cost / summary.runs).toFixed(1),
      'ms',
      runs.filter((run) => run.ms > 2_000).map((run) => `${run.id} ${run.ms}`),
      remarks,
    )
  expect(problems.map(({ result, runs, what }) => `${result} ${runs.join(' ')}: ${what}`)).toEqual([])
})
