import type { JsonObject } from '../../../core/json.js'
import type { Scenario } from '../../../core/scenario/scenario.js'
import { toDollars } from '../../../core/task/pricing.js'
import type { Kind, Task } from '../../../core/task/task.js'
import { Simulator } from '../../../simulator.js'

/** What to run. */
export interface SampleOptions {
  readonly model: string
  readonly tasks: number
  /** Milliseconds of service between one task and the next. */
  readonly every: number
  readonly seed: string | undefined
  /** Hears now and then how many tasks have been made. */
  readonly onProgress?: (made: number) => void
}

/** What a client of one model would meet. */
export interface Sample {
  readonly model: string
  readonly kind: Kind
  readonly tasks: number
  /** How many tasks ended how; `stuck` never did, `refused` were turned away for want of capacity. */
  readonly outcomes: Record<string, number>
  /** How many failed with which error code. */
  readonly errors: Record<string, number>
  /** Milliseconds from creation to the start, of the tasks that have ended. */
  readonly queue: Float64Array
  /** Milliseconds from the start to the end. */
  readonly processing: Float64Array
  /** US dollars. */
  readonly cost: { readonly total: number; readonly perSuccess: number }
  readonly webhookAttempts: number
}

const PROGRESS_STEP = 1_000
const RECEIVER = 'http://127.0.0.1:9/preview'

/** Runs many tasks of one model through the engine on a manual clock, each with an input of its own. */
export async function takeSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
  const { model, tasks, every, seed, onProgress } = options
  const sim = new Simulator(scenario, {
    clock: 'manual',
    receivers: [{ url: RECEIVER }],
    transport: async () => ({ status: 204 }),
    ...(seed !== undefined && { seed }),
  })
  const tally = new Tally(tasks)
  sim.on('task.finished', (task) => tally.add(task))
  sim.on('delivery.attempted', () => {
    tally.webhookAttempts += 1
  })
  const input = exampleInput(sim.tasks.planner.kindOf(model, {}))
  for (let made = 0; made < tasks; made++) {
    await order(sim, model, { ...input, variant: made }).catch(() => tally.count(tally.outcomes, 'refused'))
    await sim.clock.advance(every)
    if (made % PROGRESS_STEP === 0) onProgress?.(made)
  }
  await sim.clock.runUntilIdle({ limit: '36500d' })
  onProgress?.(tasks)
  return tally.sample(model, sim.tasks.planner.kindOf(model, input))
}

async function order(sim: Simulator, model: string, input: JsonObject): Promise<void> {
  const task = await sim.tasks.create({
    owner: 'preview',
    model,
    input,
    webhookUrl: undefined,
    origin: 'http://127.0.0.1',
  })
  const { end } = task.plan
  if ('polls' in end) for (let poll = 0; poll < end.polls; poll++) await sim.tasks.poll(task)
}

function exampleInput(kind: Kind): JsonObject {
  switch (kind) {
    case 'llm':
      return { messages: [{ role: 'user', content: 'Write a function that adds two numbers.' }] }
    case 'video':
    case 'audio':
      return { prompt: 'waves', duration: 5 }
    default:
      return { prompt: 'a lighthouse at dawn' }
  }
}

class Tally {
  readonly outcomes: Record<string, number> = {}
  readonly errors: Record<string, number> = {}
  webhookAttempts = 0
  readonly #queue: Float64Array
  readonly #processing: Float64Array
  #ended = 0
  #microDollars = 0

  constructor(readonly tasks: number) {
    this.#queue = new Float64Array(tasks)
    this.#processing = new Float64Array(tasks)
  }

  count(table: Record<string, number>, name: string): void {
    table[name] = (table[name] ?? 0) + 1
  }

  add({ status, error, createdAt, startedAt, completedAt = createdAt, cost = 0 }: Task): void {
    const begun = startedAt ?? completedAt
    this.#queue[this.#ended] = begun - createdAt
    this.#processing[this.#ended] = completedAt - begun
    this.#ended += 1
    this.#microDollars += cost
    this.count(this.outcomes, status)
    if (error !== undefined) this.count(this.errors, error.code)
  }

  sample(model: string, kind: Kind): Sample {
    const stuck = this.tasks - this.#ended - (this.outcomes['refused'] ?? 0)
    if (stuck > 0) this.outcomes['stuck'] = stuck
    const total = toDollars(this.#microDollars)
    return {
      model,
      kind,
      tasks: this.tasks,
      outcomes: this.outcomes,
      errors: this.errors,
      queue: this.#queue.subarray(0, this.#ended).sort(),
      processing: this.#processing.subarray(0, this.#ended).sort(),
      cost: { total, perSuccess: total / Math.max(1, this.outcomes['succeeded'] ?? 0) },
      webhookAttempts: this.webhookAttempts,
    }
  }
}
