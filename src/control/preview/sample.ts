import type { JsonObject } from '../../engine/json.js'
import type { MemoryBudget } from '../../engine/memory/budget.js'
import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import type { Kind } from '../../engine/tasks/task.js'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { Simulator } from '../../simulator.js'
import type { SimulatorSettings } from '../../simulator-settings.js'
import { createRequests } from './create-request.js'
import { Pending } from './pending.js'
import { Polls } from './polls.js'
import { rejectionCode, type Sample, Tally } from './tally.js'

/** What to run. */
export interface SampleOptions {
  readonly model: string
  /** How many create requests to send. */
  readonly tasks: number
  /** Milliseconds of service between one request and the next. */
  readonly every: number
  readonly seed: string | undefined
  /** The budget that the sample shares; one of its own unless given. */
  readonly memory?: MemoryBudget
  /** Ends the sample early. */
  readonly signal?: AbortSignal | undefined
  /** Hears now and then how many requests have been sent. */
  readonly onProgress?: (sent: number) => void
}

const PROGRESS_STEP = 100
const RECEIVER = 'http://127.0.0.1:9/preview'
/** Nobody asks for a task again, so that a long sample need not keep those that have ended. */
const KEPT_TASKS = 1_000

/**
 * Sends many create requests for one model with one API key, each with an input of its own, on a manual clock, and
 * lets the tasks end. No media are produced: nobody downloads them.
 * @throws OverBudgetError if the memory budget has no room for the tasks; the reason of the signal if it is aborted
 */
export async function takeSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
  const { model, tasks: requests, every, onProgress } = options
  const sim = simulatorFor(scenario, options)
  try {
    const tally = tallyOf(sim, requests)
    const pending = new Pending(options.signal)
    const polls = new Polls(sim, pending)
    const send = createRequests(sim)
    const kind = sim.tasks.planner.kindOf(model, {})
    const input = exampleInput(kind)
    for (let sent = 0; sent < requests; sent++) {
      pending.add(
        send({ model, input: { ...input, variant: sent } }).then(({ reply, taskId }) => {
          if (rejectionCode(reply) === 'over_budget') throw new OverBudgetError(sim.memory.limit)
          tally.addAnswer(reply)
          return polls.begin(taskId)
        }),
      )
      // A fault may hold the answer back, so that it comes only when the clock has moved on. Requests of others go first.
      await yieldToEventLoop()
      await sim.clock.advance(every)
      pending.check()
      if (sent % PROGRESS_STEP === 0) onProgress?.(sent)
    }
    // Requests may still wait for a module that is loaded on first use, and only then make tasks.
    do {
      await sim.clock.runUntilIdle({ limit: '36500d' })
      await yieldToEventLoop()
      pending.check()
    } while (pending.size > 0)
    await sim.clock.runUntilIdle({ limit: '36500d' })
    onProgress?.(requests)
    return tally.sample(model, kind)
  } finally {
    sim.close()
  }
}

function simulatorFor(scenario: Scenario, { seed, memory }: SampleOptions): Simulator {
  const settings: SimulatorSettings = {
    clock: 'manual',
    keepTasks: KEPT_TASKS,
    receivers: [{ url: RECEIVER }],
    transport: async () => ({ status: 204 }),
    ...(seed !== undefined && { seed }),
  }
  return new Simulator(scenario, settings, undefined, memory)
}

function tallyOf(sim: Simulator, requests: number): Tally {
  const tally = new Tally(requests)
  sim.on('task.created', () => tally.addCreated())
  sim.on('task.finished', (task) => tally.addEnded(task))
  sim.on('delivery.attempted', () => {
    tally.webhookAttempts += 1
  })
  return tally
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
