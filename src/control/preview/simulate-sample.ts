import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { Simulator } from '../../simulator.js'
import { createRequests } from './create-request.js'
import { PendingWork, PollingClient } from './polls.js'
import type { SampleOptions } from './sample-options.js'
import { IDLE_LIMIT, PROGRESS_STEP, sampledModel, sampleSimulator } from './sample-simulator.js'
import { PreviewTotals, rejectionCode, type Sample } from './totals.js'

/** Takes a sample with a simulator, which sends every request and runs every task. */
export async function simulateSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
  const { model, tasks: requests, every, onProgress } = options
  const totals = new PreviewTotals(requests)
  const mayCall = (url: string) => sim.mayCall(url)
  const sim: Simulator = sampleSimulator(scenario, options, (event, task) => {
    totals.webhookAttempts += sim.webhooks.countAttempts(event, task, mayCall)
  })
  try {
    countResults(sim, totals)
    const pending = new PendingWork(sim, options.signal)
    const client = new PollingClient(sim, pending)
    const send = createRequests(sim)
    const { kind, input } = sampledModel(sim, model)
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
      await sim.clock.runUntilIdle({ limit: IDLE_LIMIT })
      await pending.run()
      pending.check()
    } while (pending.size > 0)
    await sim.clock.runUntilIdle({ limit: IDLE_LIMIT })
    onProgress?.(requests)
    return totals.sample(model, kind)
  } finally {
    sim.close()
  }
}

function countResults(sim: Simulator, totals: PreviewTotals): void {
  sim.on('task.created', () => totals.addCreated())
  sim.on('task.finished', (task) => totals.addEnded(task))
}
