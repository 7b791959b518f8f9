import type { Action } from '../../dialects/action.js'
import type { PartsAction, StreamAction } from '../../dialects/stream-action.js'
import type { SentParts } from '../../engine/progress/live-tasks.js'
import type { Task } from '../../engine/tasks/task.js'
import type { ServiceExchange, ServiceOperation } from '../operation.js'
import { ownTask, taskWithoutKey } from './one-task.js'

/**
 * Streams the events of a task. The code is loaded on first use, because few services have streams.
 * @param owns whether a task is of the type of the operation; undefined if the action itself says that
 */
export function streamTask(action: StreamAction, owns?: Action['owns']): ServiceOperation {
  return {
    id: action.operation,
    action: owns === undefined ? action : { ...action, owns },
    authenticated: !action.isPublic,
    async run(exchange) {
      const task = action.isPublic ? taskWithoutKey(exchange) : ownTask(exchange)
      action.checkTask?.(task, exchange)
      const { streamOf } = await import('./stream-task.js')
      return streamOf(action, exchange, task)
    },
  }
}

/** Answers with the parts of an output that no earlier answer contained, as soon as there is one. */
export function nextParts(action: PartsAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    async run(exchange) {
      const { readyParts, sentParts } = await import('./task-parts.js')
      const sent = sentParts(exchange)
      const task = await untilMore(exchange, ownTask(exchange), action.wait(exchange), sent)
      const from = sent.of(task.id) ?? 0
      const parts = await readyParts(exchange, task, from)
      sent.set(task.id, from + parts.length)
      exchange.note.observed = [{ id: task.id, status: task.status }]
      return action.encode(task, parts, exchange)
    },
  }
}

async function untilMore(
  { sim, note, request }: ServiceExchange,
  task: Task,
  wait: number,
  sent: SentParts,
): Promise<Task> {
  note.held = wait
  const seen = { outputs: sent.of(task.id) ?? 0 }
  return (await sim.live.of(task.dialect)?.waits.untilNext(task.id, seen, wait, request.signal)) ?? task
}
