import type { Dialects } from '../../dialects/dialects.js'
import type { MemoryBudget } from '../../engine/memory/budget.js'
import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import type { Task } from '../../engine/tasks/task.js'
import type { TaskEvent } from '../../engine/webhooks/task-event.js'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.js'
import { KINDS, kindNamed } from '../../kinds/registry.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { Simulator } from '../../simulator.js'
import type { SimulatorSettings } from '../../simulator-settings.js'
import { createRequests } from './create-request.js'
import { PendingWork, PollingClient } from './polls.js'
import { PreviewTotals, rejectionCode, type Sample } from './totals.js'

/** The options of a sample. */
export interface SampleOptions {
  readonly model: string
  /** How many create requests to send. */
  readonly tasks: number
  /** Milliseconds between two requests, on the clock of the sample. */
  readonly every: number
  readonly seed: string | undefined
  /** The memory budget to share. By default, the sample has a separate one. */
  readonly memory?: MemoryBudget
  /** The dialects that the scenario may name. By default, those that are built in. */
  readonly dialects?: Dialects
  /** Ends the sample early. */
  readonly signal?: AbortSignal | undefined
  /** Called repeatedly with the number of requests sent. */
  readonly onProgress?: (sent: number) => void
}

const PROGRESS_STEP = 100
const RECEIVER = 'http://127.0.0.1:9/preview'

/**
 * Sends create requests for one model with one API key and different inputs, on a manual clock, and runs the tasks to
 * their ends. Renders no media, because nothing downloads them.
 * @throws OverBudgetError if the tasks exceed the memory budget; the reason of the signal if it is aborted
 */
export async function takeSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
  const { model, tasks: requests, every, onProgress } = options
  const totals = new PreviewTotals(requests)
  const sim = simulatorFor(scenario, options, totals)
  try {
    countResults(sim, totals)
    const pending = new PendingWork(options.signal)
    const client = new PollingClient(sim, pending)
    const send = createRequests(sim)
    const kind = sim.tasks.planner.kindOf(model, {})
    const { input } = (kindNamed(sim.tasks.planner.baseOf(kind)) ?? KINDS[0]).example
    for (let sent = 0; sent < requests; sent++) {
      pending.add(
        send({ model, input: { ...input, variant: sent } }).then(({ reply, taskId }) => {
          if (rejectionCode(reply) === 'over_budget') throw new OverBudgetError(sim.memory.limit)
          totals.addAnswer(reply)
          return client.poll(taskId)
        }),
      )
      // A fault may delay the response until the clock advances, so do not wait for it.
      await pending.run()
      if (sent % PROGRESS_STEP === 0) await yieldToEventLoop()
      await sim.clock.advance(every)
      pending.check()
      if (sent % PROGRESS_STEP === 0) onProgress?.(sent)
    }
    // A request may still be waiting for a module that is loaded on first use, and create its task later.
    do {
      await sim.clock.runUntilIdle({ limit: '36500d' })
      await pending.run()
      pending.check()
    } while (pending.size > 0)
    await sim.clock.runUntilIdle({ limit: '36500d' })
    onProgress?.(requests)
    return totals.sample(model, kind)
  } finally {
    sim.close()
  }
}

/** A simulator that counts the webhooks instead of sending them. */
function simulatorFor(
  scenario: Scenario,
  { seed, memory, dialects }: SampleOptions,
  totals: PreviewTotals,
): Simulator {
  const settings: SimulatorSettings = {
    clock: 'manual',
    keepTasks: 0,
    receivers: [{ url: RECEIVER }],
    ...(seed !== undefined && { seed }),
  }
  const mayCall = (url: string) => sim.mayCall(url)
  const announce = (event: TaskEvent, task: Task) => {
    totals.webhookAttempts += sim.webhooks.countAttempts(event, task, mayCall)
  }
  const sim: Simulator = new Simulator(scenario, settings, undefined, { memory, dialects, announce })
  return sim
}

function countResults(sim: Simulator, totals: PreviewTotals): void {
  sim.on('task.created', () => totals.addCreated())
  sim.on('task.finished', (task) => totals.addEnded(task))
}
