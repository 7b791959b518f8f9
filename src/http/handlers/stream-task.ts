import type { StreamAction } from '../../dialects/action.js'
import { LiveTasks } from '../../engine/progress/live-tasks.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'
import { TaskEvents } from './task-events.js'

/**
 * Answers with the events of a task, one piece for each, until the task has ended or the client disconnects.
 * @throws Problem if the request asks for the events after something that is no event
 */
export async function streamOf(action: StreamAction, exchange: ServiceExchange, task: Task): Promise<Reply> {
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

const encoder = new TextEncoder()

/** Pieces whose source learns at once that nobody reads them any more, even while it waits for the next one. */
function untilReturn(
  source: (signal: AbortSignal) => AsyncGenerator<string, void>,
): AsyncIterableIterator<Uint8Array, void> {
  const left = new AbortController()
  const texts = source(left.signal)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      const next = await texts.next()
      return next.done ? next : { done: false, value: encoder.encode(next.value) }
    },
    async return() {
      left.abort()
      await texts.return()
      return { done: true, value: undefined }
    },
  }
}
