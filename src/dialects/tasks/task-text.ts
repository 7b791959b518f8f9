import { Recent } from '../../engine/recent.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import type { OutputSettings } from '../../scenario/model/scenario.js'
import type { Call } from '../dialect.js'

/** A task in the form of the API, without fields that have no value yet. */
function taskBody({ sim, request }: Call, task: Task): object {
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

interface CachedText {
  readonly text: string
  /** The other values that determine the text. */
  readonly outputs: OutputSettings
  readonly origin: string
  readonly until: number
}

const LONGEST_CACHED = 4_000
const texts = new Recent<Task, CachedText>()

/**
 * {@link taskBody} as JSON. Clients poll the same unchanged task repeatedly, so its text is cached: tasks are
 * immutable, and all other values that determine the text are compared.
 */
export function taskText(call: Call, task: Task): string {
  const { sim, request } = call
  const origin = task.result === undefined ? '' : request.origin
  const now = sim.clock.now()
  const { outputs } = sim.scenario
  const known = texts.get(task)
  if (known !== undefined && known.outputs === outputs && known.origin === origin && now < known.until) {
    return known.text
  }
  const text = JSON.stringify(taskBody(call, task))
  if (text.length <= LONGEST_CACHED) {
    texts.set(task, { text, outputs, origin, until: sim.outputs.sameUntil(task, now) })
  }
  return text
}
