import { isoTime } from '../../engine/clock/iso-time.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import { cachedText } from '../cached-text.js'
import type { Call } from '../call.js'

/** A task in the form of the API, without fields that have no value yet. */
function taskBody({ sim, request }: Call, task: Task, now: number): object {
  const { id, model, status, input, error, createdAt, completedAt, cost, plan } = task
  return {
    id,
    model,
    status: (completedAt !== undefined && plan.recorded?.endWord) || status,
    input,
    output:
      task.result === undefined ? undefined : sim.outputs.of(task, sim.publicOrigin(request.origin), now),
    error,
    cost_usd: cost === undefined ? undefined : toDollars(cost),
    created_at: isoTime(createdAt),
    completed_at: isoTime(completedAt),
  }
}

/** A task as JSON. */
export const taskText: (call: Call, task: Task) => string = cachedText({
  write(call, task) {
    const now = call.sim.clock.now()
    const text = JSON.stringify(taskBody(call, task, now))
    return { text, until: call.sim.outputs.sameUntil(task, now) }
  },
  hasUrls: false,
})
