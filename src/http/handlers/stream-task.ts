import type { StreamAction } from '../../dialects/stream-action.js'
import { LiveTasks } from '../../engine/progress/live-tasks.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'
import { TaskEvents } from './task-events.js'
import { untilReturn } from './until-return.js'

/**
 * Answers with the events of a task, one piece for each, until the task has ended or the client disconnects.
 * @throws Problem if the request asks for the events after something that is no event
 */
export async function streamOf(action: StreamAction, exchange: ServiceExchange, task: Task): Promise<Reply> {
  if (task.plan.recorded !== undefined) {
    const { recordedStreamOf } = await import('./recorded-stream.js')
    const recorded = recordedStreamOf(action, exchange, task)
    if (recorded !== undefined) return recorded
  }
  const history = await exchange.sim.live.by(LiveTasks).progress.historyOf(task)
  const events = new TaskEvents(action, exchange)
  const headers = action.headers(task, exchange)
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    body: undefined,
    transmission: {
      pieces: untilReturn((signal) => events.of(task, signal)),
      isWhole: true,
      isEndless: true,
      expected: () => new TaskEvents(action, exchange).countOfSuccess(task, history),
    },
  }
}
