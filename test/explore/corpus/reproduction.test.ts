import { expect, it } from 'vitest'
import { runBaseline } from '../../../src/explore/baseline.js'
import { planRuns } from '../../../src/explore/plan.js'
import { type Reproduction, reproductionOf } from '../../../src/explore/reproduction.js'
import type { ObservedRun, RunSpec } from '../../../src/explore/run.js'
import { InProcessDriver } from '../../../src/vitest/in-process-driver.js'
import { isDeep, sampleOf } from '../../support/deep.js'
import { CLIENTS } from './clients.js'

const PATIENCE = 3_600_000
/** Without `--mode deep`: a failure of a request, a task and a webhook. */
const FEW = ['tasks.retrieve#1.succeeded:html', 'task#1:filtered', 'webhook:task.succeeded#1:late']
/** One of each sort, at the first task. */
const SORTS = /#1.*:(?:429|lost|html|no_output|filtered|slower|early|late|wrong_signature|expired)$|:outage$/
/** What the client saw and did, and what became of its tasks. */
function courseOf({ end, facts }: ObservedRun) {
  return {
    end: end.type,
    tasks: facts.tasks.map(({ number, status, isKnown, isLearned, files }) => [
      number,
      status,
      isKnown,
      isLearned,
      files,
    ]),
    // A scenario does not change the task in the answer to a cancel request, which clients ignore.
    timeline: facts.timeline.map(({ at, text }) => `${at} ${text}`.replace(/cancel ->.*/, 'cancel')).sort(),
  }
}

const NAMES = ['tasks: webhook only, and one look at its deadline', 'tasks: batch']

it.each(
  sampleOf(
    1,
    CLIENTS.filter(({ name }) => NAMES.includes(name)),
  ),
)(
  'a failure in a written scenario leads $name to the same end as in the exploration',
  async ({ options, run }) => {
    const driver = (scenario?: object) =>
      new InProcessDriver({ ...options, ...(scenario && { scenario }) }, (context) => run(context, new Set()))
    const baseline = await runBaseline(driver(), PATIENCE)
    const { orders, ignoresInput, places } = baseline
    const planned = planRuns(places).filter(({ id }) => (isDeep ? SORTS.test(id) : FEW.includes(id)))
    const written = planned.map((each) => ({ ...each, ...reproductionOf(each, baseline) }))
    for (const { id, deviations, ...reproduction } of written) {
      if (!('scenario' in reproduction)) continue
      const spec: RunSpec = { id, deviations, orders, ignoresInput, patience: PATIENCE }
      const scenario = { extends: 'default', ...reproduction.scenario }
      const inScenario = await driver(scenario).run({ ...spec, deviations: [] })
      expect({ id, ...courseOf(inScenario) }).toEqual({ id, ...courseOf(await driver().run(spec)) })
    }
    expect(written.filter((each: Reproduction) => 'scenario' in each).length).toBeGreaterThan(
      planned.length * 0.9,
    )
  },
)
