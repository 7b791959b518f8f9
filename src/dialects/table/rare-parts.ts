import { after } from '../../engine/awaitable.js'
import { LiveTasks } from '../../engine/progress/live-tasks.js'
import type { Task } from '../../engine/tasks/task.js'
import { Problem } from '../../exchange/problem.js'
import { jsonText } from '../../exchange/reply.js'
import type { Action, ResultAction } from '../action.js'
import type { Dialect } from '../dialect.js'
import { fixedAction } from './actions/fixed-action.js'
import { groupAction } from './actions/group-actions.js'
import { receiverAction } from './actions/receivers/receiver-actions.js'
import { partsAction } from './actions/streams/parts-action.js'
import { streamAction } from './actions/streams/stream-action.js'
import { deleteAction, fileAction } from './actions/task-actions.js'
import { listUploadsAction, oneUploadAction, uploadAction } from './actions/uploads/upload-actions.js'
import { AnswerScope } from './answers/answer-scope.js'
import { taskChecker } from './answers/check-rejected.js'
import { dataUrlWriter } from './answers/data-urls.js'
import { replyFrom } from './answers/reply-with.js'
import { type Answer, taskAnswer } from './answers/task-answer.js'
import { taskReply } from './answers/task-reply.js'
import type { DialectOperation, DialectTable, ResultOperation } from './dialect-table.generated.js'
import type { OperationPlace } from './requests/operation-place.js'
import { requestReader } from './requests/request-values.js'
import { compileTask } from './tasks/task-template.js'
import { needsOutput, TASK_VALUES } from './tasks/task-values.js'
import { compileTemplate } from './template/compile.js'
import type { Template, TextTemplate } from './template/template.js'

/** The actions that the main dialect does not have. */
type RareOperation = Exclude<DialectOperation, { action: 'create' | 'retrieve' | 'cancel' | 'list' }>

/** What the main dialect does not need: it is loaded with the first other dialect, so that a page starts with less. */
export const RARE_PARTS = { actionOf, liveTasks: LiveTasks }

/** The type of {@link RARE_PARTS}. */
export type RareParts = typeof RARE_PARTS

function actionOf(
  table: DialectTable,
  operation: RareOperation,
  place: OperationPlace,
  webhooks: Dialect['webhooks'],
): Action {
  switch (operation.action) {
    case 'result':
      return resultAction(table, operation, place)
    case 'delete':
      return deleteAction(table, operation, place)
    case 'stream':
      return streamAction(table, operation, place)
    case 'parts':
      return partsAction(table, operation, place)
    case 'file':
      return fileAction(table, operation, place)
    case 'upload':
      return uploadAction(table, operation, place)
    case 'retrieve_upload':
    case 'delete_upload':
      return oneUploadAction(table, operation, place)
    case 'list_uploads':
      return listUploadsAction(table, operation, place)
    case 'create_receiver':
    case 'retrieve_receiver':
    case 'update_receiver':
    case 'delete_receiver':
    case 'ping_receiver':
    case 'rotate_secret':
    case 'list_receivers':
      return receiverAction(table, operation, place)
    case 'count':
    case 'cancel_queued':
      return groupAction(operation, place, table.name)
    case 'fixed':
      return fixedAction(operation, place, webhooks)
  }
}

/** Answers with the result of a task as a table describes: as JSON, or as text. */
export function resultAction(
  table: DialectTable,
  result: ResultOperation,
  place: OperationPlace,
): ResultAction {
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
function withStates(
  table: DialectTable,
  result: ResultOperation,
  place: OperationPlace,
  encode: Encode,
): Encode {
  const replyWith = (own: Template) => taskReply(table, place, own)
  const reply: Answer = (_status, task, call) => encode(task, call)
  return taskAnswer(table, place, result, { status: result.status ?? 200, reply, replyWith })
}

/** The answer may depend on the query of the request. */
function jsonEncoder(
  table: DialectTable,
  { status = 200, answer, search }: ResultOperation,
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
  { status = 200, content_type: contentType = 'text/plain; charset=utf-8' }: ResultOperation,
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
