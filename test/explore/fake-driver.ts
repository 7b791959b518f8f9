import type { ReachedPlace } from '../../src/engine/exploration/exploration.js'
import { type Place, readPlace } from '../../src/engine/exploration/place.js'
import type { PlaceTraits } from '../../src/engine/exploration/place-traits.js'
import type { Driver, ObservedRun, RunFacts, RunSpec, TaskFacts } from '../../src/explore/run.js'
import type { Finding } from '../../src/inspect/findings/finding.js'

const TRAITS: PlaceTraits = {
  statusField: 'status',
  outputFields: ['output'],
  showsOutput: 'tasks.retrieve',
  optionalFields: ['cost_usd'],
  renewsUrls: true,
  isSigned: true,
  signsTime: false,
  retry: 1_000,
}

/** A place that a run has reached. */
export function reached(id: string, traits: Partial<PlaceTraits> = {}): ReachedPlace {
  return { id, place: readPlace(id) as Place, dialect: 'tasks', at: 0, traits: { ...TRAITS, ...traits } }
}

/** The places of a client that creates a task, polls it, gets its webhook and downloads its file. */
export const PLACES = [
  'tasks.create#1',
  'task#1',
  'tasks.retrieve#1.processing',
  'webhook:task.succeeded#1',
  'tasks.retrieve#1.succeeded',
  'file#1.0',
]

const TASK: TaskFacts = {
  id: 'task_1',
  number: '1',
  model: 'acme/image-1',
  input: {},
  order: 'tasks\0acme/image-1\0{}',
  status: 'succeeded',
  cost: 0,
  isKnown: true,
  isLeftRunning: false,
  isCanceled: false,
  waysToFind: ['list'],
  isLearned: true,
  isKnownToFail: false,
  files: [],
  isGivenUp: false,
}

/** What a fake client does in a run; what is missing is as in the baseline. */
export interface FakeRun {
  readonly end?: ObservedRun['end']
  readonly places?: readonly string[]
  readonly orders?: readonly string[]
  readonly applied?: readonly string[]
  readonly findings?: readonly Finding[]
  /** When its last request was, in milliseconds on the clock. */
  readonly last?: number
}

/** Runs a fake client, which does in each run what a function says. */
export class FakeDriver implements Driver {
  readonly orders: RunSpec[] = []
  /** The largest number of runs at the same time. */
  most = 0
  readonly #client: (spec: RunSpec) => FakeRun
  #running = 0

  constructor(client: (spec: RunSpec) => FakeRun = () => ({})) {
    this.#client = client
  }

  /** The ids of the runs so far, without the baseline. */
  get ids(): string[] {
    return this.orders.map(({ id }) => id).filter((id) => id !== 'baseline')
  }

  async run(spec: RunSpec): Promise<ObservedRun> {
    this.orders.push(spec)
    this.#running += 1
    this.most = Math.max(this.most, this.#running)
    await Promise.resolve()
    this.#running -= 1
    const run = this.#client(spec)
    return { end: run.end ?? { type: 'success' }, facts: factsOf(spec, run), output: [], took: 100 }
  }
}

function factsOf(
  { deviations, orders: given }: RunSpec,
  { places = PLACES, orders, applied, findings = [], last = 0 }: FakeRun,
): RunFacts {
  return {
    places: places.map((id) => reached(id)),
    orders: orders ?? given ?? ['tasks\0acme/image-1\0{}'],
    tasks: [TASK],
    requests: 4,
    cost: 0,
    findings,
    acceptedForgeries: 0,
    rejectedWebhooks: [],
    applied: applied ?? deviations.map(({ armed }) => armed.id),
    timeline: [{ at: last, text: 'GET /', isDeviating: false }],
    lasted: 0,
  }
}
