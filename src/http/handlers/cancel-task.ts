import { taskChecker } from '../../dialects/table/answers/check-rejected.js'
import { type AnswerWith, byState, replyWith } from '../../dialects/table/answers/task-answer.js'
import { taskText } from '../../dialects/table/answers/task-text.js'
import type { CancelOperation } from '../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../dialects/table/requests/endpoint.js'
import { apiSettings } from '../../dialects/table/scenario-settings.js'
import { ownerOf } from '../../dialects/table/tasks/objects.js'
import type { Template } from '../../dialects/table/template/template.js'
import { Problem } from '../../exchange/problem.js'
import type { ServiceOperation } from '../operation.js'
import { recordedAnswer } from '../recorded-answer.js'
import { ownTask } from './one-task.js'

/** Cancels a task. Canceling it again changes nothing; canceling a task that has succeeded or failed is a conflict. */
export function cancelTask(cancel: CancelOperation, endpoint: Endpoint): ServiceOperation {
  const check = taskChecker(endpoint, cancel.reject)
  const answerWith = (own?: Template): AnswerWith => {
    const text = taskText(endpoint.table, { own })
    return (status, task, call) => replyWith(status, () => text.of(task, call, endpoint))
  }
  const usual = { status: cancel.status ?? 200, usual: answerWith(cancel.answer), answerWith }
  const answer = byState(cancel, endpoint, usual)
  return {
    id: 'tasks.cancel',
    authenticated: true,
    owns: ownerOf(endpoint.table),
    run(exchange) {
      const { sim, request, note } = exchange
      if (apiSettings(endpoint.table, sim.scenario).cancel === false)
        throw new Problem('not_found', `There is nothing at ${request.method} ${request.path}.`)
      const found = ownTask(exchange)
      check?.(found, exchange)
      const { id } = found
      const task = sim.tasks.cancel(id) ?? ownTask(exchange)
      note.observed = [{ id, status: task.status }]
      if (task.status === 'canceled' || cancel.ended === 'answer')
        return recordedAnswer(task, exchange) ?? answer(task, exchange)
      throw new Problem('conflict', `Task ${id} has ${task.status} already and cannot be canceled any more.`)
    },
  }
}
