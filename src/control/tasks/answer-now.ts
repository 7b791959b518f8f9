import type { Call } from '../../dialects/call.js'
import { addressOf } from '../../dialects/requests/address.js'
import { pollOf } from '../../dialects/requests/poll-request.js'
import { endpointOf } from '../../dialects/table/requests/endpoint.js'
import { tableOf } from '../../dialects/table/tasks/objects.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { stateAnswer } from '../../http/handlers/retrieve-task.js'
import type { Exchange } from '../../http/operation.js'
import { recordedAnswerTo } from '../../http/recorded-answer.js'
import { ownRequest } from '../own-request.js'
import type { ServiceAnswerShape } from '../shapes.js'

/**
 * The answer of the service to a poll of a task, without any effect of a poll.
 * @throws Problem 404 if the service has no polls
 */
export async function answerNow(task: Task, { id, sim, request }: Exchange): Promise<ServiceAnswerShape> {
  const dialect = await sim.dialects.load(task.dialect)
  const poll = pollOf(dialect, task)
  if (poll === undefined)
    throw new Problem('not_found', `Tasks of the dialect ${dialect.name} have no polls.`)
  // In process, the request has no origin.
  const address = addressOf(dialect, poll.path, { origin: request.origin || task.origin })
  const call: Call = { request: ownRequest(address), params: poll.params, key: task.owner, sim }
  const endpoint = endpointOf(tableOf(dialect.table, poll.operation.object), poll.route)
  try {
    return shapeOf(
      recordedAnswerTo('tasks.retrieve', poll.route, task, call, dialect) ??
        (await stateAnswer(poll.operation, endpoint)(task, call)),
    )
  } catch (error) {
    if (error instanceof Problem) return shapeOf(dialect.error(error, id, sim.scenario))
    throw error
  }
}

function shapeOf({ status, headers, body }: Reply): ServiceAnswerShape {
  return { status, headers, body: typeof body === 'object' ? new TextDecoder().decode(body) : body }
}
