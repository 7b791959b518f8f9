import { UsageError } from '../engine/errors.js'
import type { Exploration } from '../engine/exploration/exploration.js'
import { json } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { NewRun } from './schema/inputs.js'
import type { RunPlanShape, RunShape } from './shapes.js'

export const listPlaces = controlOperation('sim.places.list', {
  tag: 'Exploration',
  summary: 'List the places of the run, and what can go wrong there',
  description:
    'A place is a request, a webhook, a task, a file, or the whole service from a request on. `POST /_sim/deviations` begins a run.',
  responses: { 200: { description: 'The places, in the order of their first request', json: 'RunPlan' } },
  errors: ['conflict'],
  async run({ sim }) {
    const { current } = sim.exploring
    if (current === undefined) throw new Problem('conflict', `No run has begun. ${BEGIN}`)
    const { planRuns } = await import('../explore/plan.js')
    const ids = new Map<string, string[]>(current.places.map(({ id }) => [id, []]))
    for (const { id, deviations } of planRuns(current.places)) {
      const place = deviations[0]?.place ?? ''
      ids.set(place, [...(ids.get(place) ?? []), id])
    }
    const plan: RunPlanShape = {
      data: [...ids].map(([id, runs]) => ({ id, runs })),
      applied: [...current.applied],
    }
    return json(200, plan)
  },
})

export const beginRun = controlOperation('sim.deviations.begin', {
  tag: 'Exploration',
  summary: 'Reset the simulator, and begin a run with a deviation',
  description:
    'Without an id, the run is the baseline, whose places later runs refer to. A reset ends no run, so tests may reset the simulator.',
  body: {
    optional: true,
    schema: NewRun,
    examples: { 'a lost answer': { id: 'tasks.create#1:lost' }, 'the baseline': {} },
  },
  responses: { 200: { description: 'The deviations of the run', json: 'Run' } },
  errors: [...BODY_ERRORS, 'conflict'],
  async run({ sim }, { body: { id } }) {
    const run = id === undefined ? { id: 'baseline', deviations: [] } : await planned(id, sim)
    const orders = id === undefined ? undefined : sim.exploring.baseline?.orders
    await sim.reset()
    const exploration = await sim.explore({ deviations: run.deviations.map(({ armed }) => armed), orders })
    if (id === undefined) sim.exploring.baseline = exploration
    const shape: RunShape = {
      id: run.id,
      deviations: run.deviations.map(({ place, word, class: kind }) => ({ place, word, class: kind })),
    }
    return json(200, shape)
  },
})

const BEGIN = 'Begin the baseline with POST /_sim/deviations and no id, and run the client.'

/** @throws Problem 400 if the baseline has no such run; 409 without a baseline */
async function planned(id: string, sim: Simulator) {
  const { baseline } = sim.exploring
  if (baseline === undefined)
    throw new Problem('conflict', `There is no baseline whose place could be in \`id\`. ${BEGIN}`)
  try {
    return await runOf(id, baseline)
  } catch (error) {
    if (error instanceof UsageError)
      throw new Problem('invalid_request', `The field \`id\`: ${error.message}`, { param: 'id' })
    throw error
  }
}

async function runOf(id: string, { places }: Exploration) {
  const { planRuns } = await import('../explore/plan.js')
  const [run] = planRuns(places, { only: [id] })
  if (run === undefined) throw new UsageError(`There is no run ${JSON.stringify(id)}.`)
  return run
}
