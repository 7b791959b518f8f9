import { isSupportedInstant } from '../../engine/clock/instants.js'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { Simulator } from '../../simulator.js'
import { hasRequestRules } from './coverage.js'
import { createRequests } from './create-request.js'
import { ForeseenTasks } from './foreseen-tasks.js'
import type { SampleOptions } from './sample-options.js'
import { IDLE_LIMIT, sampledModel, sampleSimulator } from './sample-simulator.js'
import { PreviewTotals, type Sample } from './totals.js'

/** How many tasks to create before other work may run: a few milliseconds. */
const STEP = 500

/**
 * Takes a sample of a scenario in which no request and no task affects another one: sends only the first request, and
 * calculates the tasks of the others from their plans. The result is that of a simulator.
 * @returns undefined if the scenario has limits or rules that count requests or webhooks, or tasks that end at polls
 */
export async function foreseeSample(scenario: Scenario, options: SampleOptions): Promise<Sample | undefined> {
  if (hasRequestRules(scenario) || hasWebhookFaults(scenario) || scenario.recorded !== undefined)
    return undefined
  const { model, tasks: requests, every, signal, onProgress } = options
  const sim = sampleSimulator(scenario, options, () => {})
  const memory = sim.memory.open('live_tasks')
  try {
    const { kind, input } = sampledModel(sim, model)
    const { reply, taskId = '' } = await createRequests(sim)({ model, input: { ...input, variant: 0 } })
    const first = sim.tasks.get(taskId)
    if (first === undefined || isLimited(sim, first.owner)) return undefined
    if (!isSupportedInstant(sim.clock.now() + requests * every)) return undefined
    sim.tasks.delete(first.id)
    const totals = new PreviewTotals(requests)
    const tasks = new ForeseenTasks(sim, totals, memory, first)
    for (let sent = 0; sent < requests; sent++) {
      totals.addAnswer(reply)
      if (!tasks.create(sent)) return undefined
      const running = tasks.advance(every)
      if (running !== undefined) await running
      if (sent % STEP > 0) continue
      await yieldToEventLoop()
      signal?.throwIfAborted()
      onProgress?.(sent)
    }
    await sim.clock.runUntilIdle({ limit: IDLE_LIMIT })
    onProgress?.(requests)
    return totals.sample(model, kind)
  } finally {
    memory.close()
    sim.close()
  }
}

function hasWebhookFaults({ webhooks }: Scenario): boolean {
  return webhooks.faults.length > 0
}

/** Whether earlier requests of a key, or the time, affect whether a request is accepted. */
function isLimited({ requestPolicy: { accounts }, parts }: Simulator, key: string): boolean {
  const isLasting = accounts.statusOf(key, Infinity) === 'accepted'
  return !isLasting || accounts.balance(key) !== undefined || !parts.capacity.isUnlimited
}
