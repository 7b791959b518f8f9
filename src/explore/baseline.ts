import { UsageError } from '../engine/errors.js'
import { MOST_PLACES, type ReachedPlace } from '../engine/exploration/exploration.js'
import type { Driver, ObservedRun, RunOrder } from './run.js'

/** What all runs are compared with. */
export interface Baseline {
  readonly run: ObservedRun
  /** The places that the client reaches in each run. */
  readonly places: readonly ReachedPlace[]
  readonly orders: readonly string[]
  readonly ignoresInput: boolean
  /** What differed between the runs, in sentences. */
  readonly remarks: readonly string[]
}

/** The client fails without any deviation. */
export class BaselineError extends UsageError {
  override readonly name = 'BaselineError'
  readonly run: ObservedRun

  constructor(run: ObservedRun, reason: string) {
    super(
      `The client fails without any deviation: ${reason}. Mend that first, or use another scenario: an exploration compares all runs with one that succeeds.`,
    )
    this.run = run
  }
}

/**
 * Runs a client twice without deviations, and finds the places that it reaches in both runs.
 * @param patience how long it may make no progress, in milliseconds on the clock
 * @throws BaselineError if it does not succeed; UsageError if it cannot run or reaches no place
 */
export async function runBaseline(driver: Driver, patience: number): Promise<Baseline> {
  const runWith = (order: Pick<RunOrder, 'orders' | 'ignoresInput'>) =>
    successful(driver, { id: 'baseline', deviations: [], patience, ...order })
  const run = await runWith({ orders: undefined, ignoresInput: false })
  const { orders, places } = run.facts
  if (places.length === 0)
    throw new UsageError(
      'The client sends no request to the simulator, so there is nothing to explore. Check the address that it calls.',
    )
  const limit = places.length < MOST_PLACES ? [] : [TOO_MANY]
  const second = await runWith({ orders, ignoresInput: false })
  const differing = differencesOf(run, second)
  if (differing.length === 0 || second.facts.orders.length === orders.length) {
    const { places: stable, remarks } = stableIn(run, differing)
    return { run, places: stable, orders, ignoresInput: false, remarks: [...limit, ...remarks] }
  }
  const general = orders.map(withoutInput)
  const third = await runWith({ orders: general, ignoresInput: true })
  const { places: stable, remarks } = stableIn(run, differencesOf(run, third))
  return {
    run,
    places: stable,
    orders: general,
    ignoresInput: true,
    remarks: [...limit, OTHER_INPUTS, ...remarks],
  }
}

const TOO_MANY = `The client reaches more than ${MOST_PLACES} places; only the first ${MOST_PLACES} are explored. Let it create fewer tasks.`

const OTHER_INPUTS =
  'The inputs of the tasks differ from run to run, so tasks are matched by their models and their order.'

async function successful(driver: Driver, order: RunOrder): Promise<ObservedRun> {
  const run = await driver.run(order)
  const { end } = run
  if (end.type === 'unusable') throw new UsageError(end.message)
  if (end.type !== 'success') throw new BaselineError(run, end.message)
  return run
}

/** The order of a task, without its input. */
function withoutInput(order: string): string {
  return order.split('\0').slice(0, 2).join('\0')
}

/** The places that only one of two runs has reached. */
function differencesOf(run: ObservedRun, other: ObservedRun): string[] {
  const [ids, others] = [run, other].map(({ facts }) => facts.places.map(({ id }) => id))
  const only = (some: readonly string[] = [], more: readonly string[] = []) =>
    some.filter((id) => !more.includes(id))
  return [...only(ids, others), ...only(others, ids)]
}

/** The places of a run without those that another one did not reach. */
function stableIn(
  { facts }: ObservedRun,
  differing: readonly string[],
): Pick<Baseline, 'places' | 'remarks'> {
  if (differing.length === 0) return { places: facts.places, remarks: [] }
  return {
    places: facts.places.filter(({ id }) => !differing.includes(id)),
    remarks: [
      `Two runs without deviations differ, so some places are not explored: ${differing.slice(0, 5).join(', ')}${differing.length > 5 ? ` and ${differing.length - 5} more` : ''}.`,
    ],
  }
}
