import { after } from '../../../engine/awaitable.js'
import type { Task } from '../../../engine/tasks/task.js'
import { Problem } from '../../../http/exchange/problem.js'
import { jsonText } from '../../../http/exchange/reply.js'
import type { ResultAction } from '../../action.js'
import { AnswerScope } from '../answers/answer-scope.js'
import { taskChecker } from '../answers/check-rejected.js'
import { dataUrlWriter } from '../answers/data-urls.js'
import { replyFrom } from '../answers/reply-with.js'
import { type Answer, taskAnswer } from '../answers/task-answer.js'
import { taskReply } from '../answers/task-reply.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { ResultTable } from '../model/operation-table.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { requestReader } from '../requests/request-values.js'
import { compileTask } from '../tasks/task-template.js'
import { needsOutput, TASK_VALUES } from '../tasks/task-values.js'
import { compileTemplate } from '../template/compile.js'
import type { Template, TextTemplate } from '../template/template.js'

/** Answers with the result of a task as a table describes: as JSON, or as text. */
export function resultAction(table: DialectTable, result: ResultTable, place: OperationPlace): ResultAction {
  const { text } = result
  const encode =
    text === undefined ? jsonEncoder(table, result, place) : textEncoder(table, result, text, place)
  return {
    operation: 'tasks.result',
    checkTask: taskChecker(table, place, result.reject),
    encode: withStates(table, result, place, encode),
  }
}

type Encode = ResultAction['encode']

/** The states with an answer of their own need no result. */
function withStates(table: DialectTable, result: ResultTable, place: OperationPlace, encode: Encode): Encode {
  const replyWith = (own: Template) => taskReply(table, place, own)
  const reply: Answer = (_status, task, call) => encode(task, call)
  return taskAnswer(table, place, result, { status: result.status ?? 200, reply, replyWith })
}

/** The answer may depend on the query of the request. */
function jsonEncoder(
  table: DialectTable,
  { status = 200, answer, search }: ResultTable,
  place: OperationPlace,
): Encode {
  const read = compileTask(table, answer)
  const isPartOfResult = needsOutput(answer ?? table.task)
  const readSearch = search === undefined ? () => '' : requestReader(search, place)
  const writeWithFiles = isPartOfResult ? dataUrlWriter(table, place, read) : undefined
  return (task, call) => {
    const search = String(readSearch(call) ?? '')
    const text = writeWithFiles?.(task, call, { search })
    if (text !== undefined) return after(text, (text) => ({ ...jsonText(status, text), hasFiles: true }))
    const scope = new AnswerScope(table, call, task, place)
    if (isPartOfResult && scope.output === undefined) throw missingResult(task)
    return replyFrom(status, read, Object.assign(scope, { search }))
  }
}

function textEncoder(
  table: DialectTable,
  { status = 200, content_type: contentType = 'text/plain; charset=utf-8' }: ResultTable,
  template: TextTemplate,
  place: OperationPlace,
): Encode {
  const read = compileTemplate(template, TASK_VALUES)
  return (task, call) => {
    const text = read(new AnswerScope(table, call, task, place))
    if (typeof text === 'string') return { status, headers: { 'content-type': contentType }, body: text }
    throw missingResult(task)
  }
}

function missingResult({ id, status }: Task): Problem {
  return new Problem('invalid_request', `Task ${id} has no such output: it is ${status}.`)
}
