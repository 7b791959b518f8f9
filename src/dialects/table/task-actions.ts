import type { Task } from '../../engine/tasks/task.js'
import { Problem } from '../../http/exchange/problem.js'
import type { Call, CancelAction, DeleteAction, FileAction, TaskAction } from '../dialect.js'
import type { CancelTable, DeleteTable, DialectTable, FileTable, RetrieveTable } from './dialect-table.js'
import type { OperationPlace } from './operation-place.js'
import { replyFrom, replyWith } from './reply-with.js'
import { REQUEST_VALUES, type RequestScope } from './request-values.js'
import { taskReply } from './task-reply.js'
import { TASK_VALUES } from './task-values.js'
import { compileTask, scopeOf, taskWriter } from './task-writer.js'
import { compileTemplate } from './template/compile.js'
import type { TextTemplate } from './template/template.js'
import { waitOf } from './wait-of.js'

/** Answers with a task as a table describes. */
export function retrieveAction(
  table: DialectTable,
  {
    status = 200,
    answer,
    wait,
    needs_output: needsOutput = false,
    search,
    text,
    content_type: contentType = 'text/plain; charset=utf-8',
  }: RetrieveTable,
  place: OperationPlace,
): TaskAction {
  const reply = taskReply(table, place, answer)
  const readWait = wait === undefined ? undefined : requestReader(wait, place)
  const encode: TaskAction['encode'] =
    text === undefined
      ? needsOutput
        ? outputEncoder(table, { status, answer, search, place })
        : (task, call) => reply(status, task, call)
      : textEncoder(table, text, { status, contentType, place })
  return {
    operation: 'tasks.retrieve',
    encode,
    ...(readWait && { wait: (call: Call) => waitOf(readWait(call)) }),
  }
}

/** Cancels a task as a table describes. */
export function cancelAction(
  table: DialectTable,
  { status = 200, answer, ended = 'reject' }: CancelTable,
  place: OperationPlace,
): CancelAction {
  const write = taskWriter(table, place, answer)
  return {
    operation: 'tasks.cancel',
    acceptsEnded: ended === 'answer',
    encode: (task, call) => replyWith(status, () => write(call, task)),
  }
}

/** Deletes a task as a table describes. */
export function deleteAction(
  table: DialectTable,
  { status = 204, answer }: DeleteTable,
  place: OperationPlace,
): DeleteAction {
  const write = taskWriter(table, place, answer)
  return {
    operation: 'tasks.delete',
    encode: (task, call) => replyWith(status, () => write(call, task)),
  }
}

/** Answers with a file as a table describes. */
export function fileAction({ index = 0 }: FileTable, place: OperationPlace): FileAction {
  const read = requestReader(index, place)
  return { operation: 'files.download', file: (call) => Number(read(call) ?? 0) }
}

/** Reads a value of a request without a body. */
export function requestReader(template: TextTemplate | number, { parameters }: OperationPlace) {
  const read = compileTemplate<RequestScope>(template, REQUEST_VALUES)
  return (call: Call) => read({ call, body: {}, parameters })
}

function textEncoder(
  table: DialectTable,
  template: TextTemplate,
  {
    status,
    contentType,
    place,
  }: { readonly status: number; readonly contentType: string; readonly place: OperationPlace },
): TaskAction['encode'] {
  const read = compileTemplate(template, TASK_VALUES)
  return (task, call) => {
    const text = read(scopeOf(table, call, task, place))
    if (typeof text === 'string') return { status, headers: { 'content-type': contentType }, body: text }
    throw missingOutput(task)
  }
}

/** Answers about the output of a task, which depend on the query of the request. */
function outputEncoder(
  table: DialectTable,
  {
    status,
    answer,
    search,
    place,
  }: Pick<RetrieveTable, 'answer' | 'search'> & {
    readonly status: number
    readonly place: OperationPlace
  },
): TaskAction['encode'] {
  const read = compileTask(table, answer)
  const readSearch = search === undefined ? () => '' : requestReader(search, place)
  return (task, call) => {
    const scope = scopeOf(table, call, task, place)
    if (scope.output === undefined) throw missingOutput(task)
    return replyFrom(status, read, { ...scope, search: String(readSearch(call) ?? '') })
  }
}

function missingOutput({ id, status }: Task): Problem {
  return new Problem('invalid_request', `Task ${id} has no such output: it is ${status}.`)
}
