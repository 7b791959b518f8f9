import { UsageError } from '../engine/errors.js'
import { MOST_PLACES, type ReachedPlace } from '../engine/exploration/exploration.js'
import { isTerminal, type Status } from '../engine/tasks/task.js'
import { BASELINE, type Driver, type ObservedRun, type RunFacts, type RunSpec } from './run.js'

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
      `The client fails even without failures of the service: ${reason.replace(/\.$/, '')}. Fix that first, or use another scenario: an exploration compares all runs with one that succeeds.`,
    )
    this.run = run
  }
}

/**
 * Runs a client twice without deviations, and finds the places that it reaches in both runs.
 * @param patience how long it may make no progress, in milliseconds on the clock
 * @param reachRemedy how the client can reach the simulator if it sends no request to it
 * @throws BaselineError if it does not succeed; UsageError if it cannot run or reaches no place
 */
export async function runBaseline(
  driver: Driver,
  patience: number,
  reachRemedy = 'Check the address that it calls.',
): Promise<Baseline> {
  const runWith = (spec: Pick<RunSpec, 'orders' | 'ignoresInput'>) =>
    successful(driver, { id: BASELINE, deviations: [], patience, ...spec }, reachRemedy)
  const run = await runWith({ orders: undefined, ignoresInput: false })
  const { orders, places } = run.facts
  const limit = places.length < MOST_PLACES ? [] : [TOO_MANY]
  const remarks = [...limit, ...baselineRemarks(run.facts)]
  if (places.length === 0)
    throw new UsageError(
      `The client sends no request to the simulator, so there is nothing to explore. ${reachRemedy}`,
    )
  const second = await runWith({ orders, ignoresInput: false })
  const differing = differencesOf(run, second)
  if (differing.length === 0 || second.facts.orders.length === orders.length) {
    const { places: stable, remarks: added } = stableIn(run, differing)
    return { run, places: stable, orders, ignoresInput: false, remarks: [...remarks, ...added] }
  }
  const general = orders.map(withoutInput)
  const third = await runWith({ orders: general, ignoresInput: true })
  const { places: stable, remarks: added } = stableIn(third, differencesOf(run, third))
  return {
    // The orders of its tasks are those of the other runs: without inputs.
    run: third,
    places: stable,
    orders: general,
    ignoresInput: true,
    remarks: [...remarks, OTHER_INPUTS, ...added],
  }
}

const TOO_MANY = `The client reaches more than ${MOST_PLACES} places; only the first ${MOST_PLACES} are explored. Let it create fewer tasks.`

const OTHER_INPUTS =
  'The inputs of the tasks differ from run to run, so tasks are matched by their models and their order.'

async function successful(driver: Driver, spec: RunSpec, reachRemedy: string): Promise<ObservedRun> {
  const run = await driver.run(spec)
  const { end, facts } = run
  if (end.type === 'unusable') throw new UsageError(end.message)
  if (end.type === 'success') return run
  const unreached = facts.requests === 0 ? ` It sends no request to the simulator. ${reachRemedy}` : ''
  throw new BaselineError(run, `${end.message.replace(/\.$/, '')}.${unreached}`)
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
  const named = `${differing.slice(0, 5).join(', ')}${differing.length > 5 ? ` and ${differing.length - 5} more` : ''}`
  const places = facts.places.filter(({ id }) => !differing.includes(id))
  if (places.length === 0)
    throw new UsageError(
      `Two runs without failures have no place in common (${named}), so there is nothing to explore. If a run leaves state behind, such as a file or a row, restore it before each run, as with --before COMMAND.`,
    )
  // A busy machine decides which states polls show, but not what the client orders.
  const ordersDiffer = differing.some((id) => id.startsWith('tasks.create#'))
  const hint = ordersDiffer
    ? ' If a run leaves state behind, restore it before each run, as with --before.'
    : ''
  return {
    places,
    remarks: [`Two runs without deviations differ, so some places are not explored: ${named}.${hint}`],
  }
}

/** Says what a run without deviations shows that makes the others less meaningful, in sentences. */
export function baselineRemarks({ places, findings, rejectedWebhooks }: RunFacts): string[] {
  const mistakes = findings.filter(({ severity }) => severity === 'warning').map(({ id }) => id)
  const remarks = [
    mistakes.length > 0 &&
      `The client makes these mistakes also without failures, so they do not count here: ${mistakes.join(', ')}. See \`tasksim exec\`.`,
    rejectedWebhooks.length > 0 &&
      `The receiver rejects genuine webhooks also without failures (${rejectedWebhooks.join(', ')}), so failures of webhooks show nothing. Check its secret and how it verifies signatures.`,
    seesOnlyEnds(places) &&
      'Each poll found its task at its end, so no poll of a running task is explored. Poll more often, or let tasks take longer: with a lower `--speed`, or a `delay` in the scenario.',
  ]
  return remarks.filter((remark) => remark !== false)
}

/** Whether the client only polls, and has never read that a task is queued or runs. */
function seesOnlyEnds(places: RunFacts['places']): boolean {
  const hasWebhooks = places.some(({ place }) => place.type === 'webhook')
  const polled = places.flatMap(({ place }) =>
    place.type === 'request' && place.operation === 'tasks.retrieve' && place.shows !== undefined
      ? [place.shows]
      : [],
  )
  return !hasWebhooks && polled.length > 0 && polled.every((state) => isTerminal(state as Status))
}
