import type { ArmedDeviation } from '../../src/engine/exploration/exploration.js'
import type { DeviationClass } from '../../src/explore/deviations.js'
import { factsOf } from '../../src/explore/facts.js'
import { judge } from '../../src/explore/judge.js'
import type { ObservedRun, RunEnd } from '../../src/explore/run.js'
import type { SimulatorOptions } from '../../src/index.js'
import { type Stage, stage } from '../inspect/findings/stage.js'
import type { Habits } from '../support/habits.js'

/** What a client does in a run. */
export type Flow = (stage: Stage) => Promise<unknown>

interface RunOptions {
  readonly habits?: Partial<Habits>
  readonly simulator?: SimulatorOptions
}

/** Runs a client against a new simulator, with deviations. */
export async function observe(
  flow: Flow,
  deviations: readonly ArmedDeviation[] = [],
  orders?: readonly string[],
  { habits = {}, simulator = {} }: RunOptions = {},
): Promise<ObservedRun> {
  const staged = stage({ scenario: SCENARIO, ...simulator }, habits)
  const exploration = staged.sim.explore({ deviations, orders })
  const end = await staged.live(flow(staged).then(success, failure))
  const facts = await factsOf(staged.sim, exploration)
  staged.sim.close()
  return { end, facts, output: [], took: 1 }
}

export const SCENARIO = { defaults: { delay: '10s' } } as const

const success = (): RunEnd => ({ type: 'success' })
const failure = (error: Error): RunEnd => ({ type: 'failure', message: error.message })

/** Runs a client without and with a deviation, and judges it. */
export async function judged(
  flow: Flow,
  deviation: Omit<ArmedDeviation, 'id'>,
  kind: DeviationClass = 'transient',
  options: RunOptions = {},
) {
  const baseline = await observe(flow, [], undefined, options)
  const armed = { id: `${deviation.place}:tested`, ...deviation }
  const run = await observe(flow, [armed], baseline.facts.orders, options)
  const planned = { place: deviation.place, word: 'tested', class: kind, armed, delays: 0 }
  const order = {
    id: armed.id,
    deviations: [planned],
    orders: baseline.facts.orders,
    ignoresInput: false,
    patience: 3_600_000,
  }
  return { ...judge({ order, run, baseline }), run, baseline }
}
