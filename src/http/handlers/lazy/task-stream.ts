import { taskChecker } from '../../../dialects/table/answers/check-rejected.js'
import type { StreamEvents, StreamOperation } from '../../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { LiveTasks } from '../../../engine/progress/live-tasks.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Reply } from '../../../exchange/exchange.js'
import { missingTask } from '../../missing-task.js'
import type { AnswerNewTask, ServiceExchange, ServiceHandler } from '../../operation.js'
import { ownTask } from '../one-task.js'
import { streamReply } from './stream-reply.js'
import { StreamWriter } from './stream-writer.js'
import { TaskEvents } from './task-events.js'

/** Streams the events of the task in the path, such as the parts of its output as they get ready, and its end. */
export function taskStream(stream: StreamOperation, endpoint: Endpoint): ServiceHandler {
  const writer = new StreamWriter(stream, endpoint)
  const check = taskChecker(endpoint, stream.reject)
  return (exchange) => {
    const task = stream.key === 'none' ? taskWithoutKey(exchange) : ownTask(exchange)
    check?.(task, exchange)
    return streamOf(writer, exchange, task)
  }
}

/** Returns a function that streams the events of a task which the request has created. */
export function newTaskStream(events: StreamEvents, endpoint: Endpoint): AnswerNewTask {
  const writer = new StreamWriter({ events }, endpoint)
  return (task, exchange) => streamOf(writer, exchange, task)
}

/**
 * The task in the path of a URL that needs no API key, because nobody can guess the id.
 * @throws Problem 404 if it does not exist, or belongs to another dialect
 */
function taskWithoutKey(exchange: ServiceExchange): Task {
  const { sim, dialect, operation, namedTask: id = '' } = exchange
  const task = sim.tasks.get(id)
  if (task === undefined || task.dialect !== dialect.name || operation.owns?.(task) === false)
    throw missingTask(id, exchange)
  exchange.taskId = id
  return task
}

/**
 * Answers with the events of a task, one piece for each, until the task has ended or the client disconnects.
 * @throws Problem if the request asks for the events after something that is not an event
 */
async function streamOf(writer: StreamWriter, exchange: ServiceExchange, task: Task): Promise<Reply> {
  if (task.plan.recorded !== undefined) {
    const { recordedStreamOf } = await import('./recorded-stream.js')
    const recorded = recordedStreamOf(writer, exchange, task)
    if (recorded !== undefined) return recorded
  }
  const history = await exchange.sim.live.by(LiveTasks).progress.historyOf(task)
  const events = new TaskEvents(writer, exchange)
  return streamReply({
    contentType: 'text/event-stream; charset=utf-8',
    headers: writer.headers(task, exchange),
    texts: (signal) => events.of(task, signal),
    expected: () => new TaskEvents(writer, exchange).countOfSuccess(task, history),
  })
}
