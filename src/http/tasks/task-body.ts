import { Recent } from '../../engine/recent.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import type { OutputSettings } from '../../scenario/model/scenario.js'
import type { Exchange } from '../operation.js'

/** A task as the API shows it; what it does not have yet is left out. */
function taskBody({ sim, request }: Exchange, task: Task): object {
  const { id, model, status, input, error, createdAt, completedAt, cost } = task
  return {
    id,
    model,
    status,
    input,
    output:
      task.result === undefined
        ? undefined
        : sim.outputs.of(task, sim.publicOrigin(request.origin), sim.clock.now()),
    error,
    cost_usd: cost === undefined ? undefined : toDollars(cost),
    created_at: new Date(createdAt).toISOString(),
    completed_at: completedAt === undefined ? undefined : new Date(completedAt).toISOString(),
  }
}

interface Worded {
  readonly text: string
  /** What the text depends on beside the task. */
  readonly outputs: OutputSettings
  readonly origin: string
  readonly until: number
}

const LONGEST_REMEMBERED = 4_000
const worded = new Recent<Task, Worded>()

/**
 * {@link taskBody} as JSON. Clients ask for the same unchanged task again and again, so its text is kept for a
 * while: tasks are values, and what else goes into the text is compared.
 */
export function taskText(exchange: Exchange, task: Task): string {
  const { sim, request } = exchange
  const origin = task.result === undefined ? '' : request.origin
  const now = sim.clock.now()
  const { outputs } = sim.scenario
  const known = worded.get(task)
  if (known !== undefined && known.outputs === outputs && known.origin === origin && now < known.until) {
    return known.text
  }
  const text = JSON.stringify(taskBody(exchange, task))
  if (text.length <= LONGEST_REMEMBERED) {
    worded.set(task, { text, outputs, origin, until: sim.outputs.sameUntil(task, now) })
  }
  return text
}
