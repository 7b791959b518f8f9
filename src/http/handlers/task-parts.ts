import type { Call } from '../../dialects/call.js'
import type { JsonValue } from '../../engine/json.js'
import type { SentParts } from '../../engine/progress/live-tasks.js'
import { LiveTasks } from '../../engine/progress/live-tasks.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'

/**
 * The parts of a task's output that are ready, as a client sees them: the URLs of files, or the pieces of a text. An
 * output that has no parts is itself the only one.
 * @param from the number of parts to omit
 */
export async function readyParts(
  { sim, request }: Pick<Call, 'sim' | 'request'>,
  task: Task,
  from: number,
): Promise<readonly JsonValue[]> {
  const { outputs, clock } = sim
  const now = clock.now()
  const origin = sim.publicOrigin(request.origin)
  if (outputs.isGone(task, now)) return []
  const parts = await sim.live.by(LiveTasks).progress.outputsOf(task, from)
  if (parts.length === 0 && from === 0 && isTerminal(task.status)) {
    const whole = outputs.of(task, origin, now)
    return whole === undefined ? [] : [whole]
  }
  return parts.map((part) => ('text' in part ? part.text : outputs.urlOf(task, part.file, origin, now)))
}

/** Counts the parts of outputs that the service has sent. */
export function sentParts({ sim }: Pick<Call, 'sim'>): SentParts {
  return sim.live.by(LiveTasks).sent
}
