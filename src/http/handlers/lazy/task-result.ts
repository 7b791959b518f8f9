import { AnswerScope } from '../../../dialects/table/answers/answer-scope.js'
import { taskChecker } from '../../../dialects/table/answers/check-rejected.js'
import {
  type AnswerWith,
  byState,
  replyWith,
  replyWithFiles,
  shownTask,
} from '../../../dialects/table/answers/task-answer.js'
import { taskText } from '../../../dialects/table/answers/task-text.js'
import type { ResultOperation } from '../../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { requestReader } from '../../../dialects/table/requests/request-values.js'
import { needsOutput, TASK_VALUES } from '../../../dialects/table/tasks/task-values.js'
import { compileTemplate } from '../../../dialects/table/template/compile.js'
import type { TextTemplate } from '../../../dialects/table/template/template.js'
import { after } from '../../../engine/awaitable.js'
import type { Task } from '../../../engine/tasks/task.js'
import { Problem } from '../../../exchange/problem.js'
import type { ServiceHandler } from '../../operation.js'
import { answerAbout, ownTask } from '../one-task.js'

/**
 * Answers with the result of a task, in a form that does not show its state: as JSON, or as text. It does not count as a
 * poll.
 */
export function taskResult(result: ResultOperation, endpoint: Endpoint): ServiceHandler {
  const { status = 200, text } = result
  const answer = byState(result, endpoint, {
    status,
    // The status of an answer with the result is always that of the operation.
    usual: text === undefined ? jsonAnswer(result, endpoint) : textAnswer(result, text, endpoint),
    // The states with an answer of their own need no result.
    answerWith: (own) => shownTask(endpoint, own),
  })
  const check = taskChecker(endpoint, result.reject)
  return (exchange) => answerAbout(ownTask(exchange), answer, exchange, check)
}

/** The answer may depend on the query of the request. */
function jsonAnswer({ status = 200, answer, search }: ResultOperation, endpoint: Endpoint): AnswerWith {
  const text = taskText(endpoint.table, { own: answer })
  const isPartOfResult = needsOutput(answer ?? endpoint.table.task)
  const readSearch = requestReader(search ?? '', endpoint)
  return (_status, task, call) => {
    const words = String(readSearch(call) ?? '')
    const withFiles = isPartOfResult ? text.withFiles(task, call, endpoint, words) : undefined
    if (withFiles !== undefined) return after(withFiles, (encoded) => replyWithFiles(status, encoded))
    const scope = new AnswerScope(endpoint, task, call)
    if (isPartOfResult && scope.output === undefined) throw missingResult(task)
    scope.search = words
    return replyWith(status, () => text.write(scope))
  }
}

function textAnswer(
  { status = 200, content_type: contentType = 'text/plain; charset=utf-8' }: ResultOperation,
  template: TextTemplate,
  endpoint: Endpoint,
): AnswerWith {
  const read = compileTemplate(template, TASK_VALUES)
  return (_status, task, call) => {
    const text = read(new AnswerScope(endpoint, task, call))
    if (typeof text === 'string') return { status, headers: { 'content-type': contentType }, body: text }
    throw missingResult(task)
  }
}

function missingResult({ id, status }: Task): Problem {
  return new Problem('invalid_request', `Task ${id} has no such output: it is ${status}.`)
}
