import type { CancelAction, DeleteAction, FileAction, TaskAction } from '../action.js'
import type { Call } from '../call.js'
import type { DialectTable } from './dialect-table.js'
import type { OperationPlace } from './operation-place.js'
import type { CancelTable, DeleteTable, FileTable, RetrieveTable } from './operation-table.js'
import { replyWith } from './reply-with.js'
import { REQUEST_VALUES, type RequestScope } from './request-values.js'
import { taskReply } from './task-reply.js'
import { taskWriter } from './task-writer.js'
import { compileTemplate } from './template/compile.js'
import type { TextTemplate } from './template/template.js'
import { waitOf } from './wait-of.js'

/** Answers with a task as a table describes. */
export function retrieveAction(
  table: DialectTable,
  { status = 200, answer, wait }: RetrieveTable,
  place: OperationPlace,
): TaskAction {
  const reply = taskReply(table, place, answer)
  const readWait = wait === undefined ? undefined : requestReader(wait, place)
  return {
    operation: 'tasks.retrieve',
    encode: (task, call) => reply(status, task, call),
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
  { status = 204, answer, keeps_record: keepsRecord = false }: DeleteTable,
  place: OperationPlace,
): DeleteAction {
  const write = taskWriter(table, place, answer)
  return {
    operation: 'tasks.delete',
    keepsRecord,
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
