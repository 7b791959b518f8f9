import { functionTransport } from '../../src/engine/webhooks/attempts/transport.js'
import { factsOf } from '../../src/explore/facts.js'
import type { Driver, RunEnd, RunSpec } from '../../src/explore/run.js'
import type { SimulatorOptions } from '../../src/index.js'
import { type Stage, stage } from '../inspect/findings/stage.js'
import type { Habits } from '../support/habits.js'

/** What a client does in a run. */
export type Flow = (stage: Stage) => Promise<unknown>

/** Runs a client in this process, each time against a new simulator on a manual clock. */
export class StagedDriver implements Driver {
  /** The ids of the runs so far. */
  readonly ran: string[] = []
  readonly #flow: Flow
  readonly #habits: Partial<Habits>
  readonly #options: SimulatorOptions

  constructor(
    flow: Flow,
    { habits = {}, options = {} }: { habits?: Partial<Habits>; options?: SimulatorOptions } = {},
  ) {
    this.#flow = flow
    this.#habits = habits
    this.#options = options
  }

  async run({ id, deviations, orders, ignoresInput }: RunSpec) {
    this.ran.push(id)
    const staged: Stage = stage(
      {
        scenario: SCENARIO,
        transport: functionTransport((request) => staged.app.handle(request)),
        ...this.#options,
      },
      this.#habits,
    )
    const { sim } = staged
    const exploration = await sim.explore({
      deviations: deviations.map(({ armed }) => armed),
      orders,
      ignoresInput,
    })
    const end = await staged.live(this.#flow(staged).then(success, failure))
    const facts = await factsOf(sim, exploration)
    sim.close()
    return { end, facts, output: [], took: 1 }
  }
}

const SCENARIO = { defaults: { delay: '10s' } } as const

const success = (): RunEnd => ({ type: 'success' })
const failure = (error: Error): RunEnd => ({ type: 'failure', message: error.message })
