import { Problem } from '../../../exchange/problem.js'
import type { CancelAction, DeleteAction, FileAction, TaskAction } from '../../action.js'
import type { Call } from '../../call.js'
import { taskChecker } from '../answers/check-rejected.js'
import { replyWith } from '../answers/reply-with.js'
import { type Answer, taskAnswer } from '../answers/task-answer.js'
import { taskReply } from '../answers/task-reply.js'
import { taskWriter } from '../answers/task-writer.js'
import type {
  CancelOperation,
  DeleteOperation,
  DialectTable,
  FileOperation,
  RetrieveOperation,
} from '../dialect-table.generated.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { conditionReader, requestReader, waitOf } from '../requests/request-values.js'
import { apiSettings } from '../scenario-settings.js'
import type { Template } from '../template/template.js'
import { streamAction } from './streams/stream-action.js'

/** Answers with a task as a table describes. */
export function retrieveAction(
  table: DialectTable,
  retrieve: RetrieveOperation,
  place: OperationPlace,
): TaskAction {
  const { wait, logs_if: logsIf, events, stream_if: streamIf, resume_after: resumeAfter } = retrieve
  const encode = retrieveAnswer(table, retrieve, place)
  const encodeShort = logsIf === undefined ? encode : retrieveAnswer(table, retrieve, place, true)
  const showsLogs = logsIf === undefined ? () => true : conditionReader(logsIf, place)
  const readWait = wait === undefined ? undefined : requestReader(wait, place)
  const checkTask = taskChecker(table, place, retrieve.reject)
  return {
    operation: 'tasks.retrieve',
    checkTask,
    encode: (task, call) => (showsLogs(call) ? encode : encodeShort)(task, call),
    ...(readWait && { wait: (call: Call) => waitOf(readWait(call)) }),
    ...(events !== undefined &&
      streamIf !== undefined && {
        stream: {
          isAsked: conditionReader(streamIf, place),
          action: {
            ...streamAction(table, { events, resume_after: resumeAfter, logs_if: logsIf }, place),
            checkTask,
          },
        },
      }),
  }
}

function retrieveAnswer(
  table: DialectTable,
  retrieve: RetrieveOperation,
  place: OperationPlace,
  hidesLogs = false,
) {
  const { status = 200, answer } = retrieve
  const replyWith = (own?: Template) => taskReply(table, place, own, hidesLogs)
  return taskAnswer(table, place, retrieve, { status, reply: replyWith(answer), replyWith })
}

/** Cancels a task as a table describes. */
export function cancelAction(
  table: DialectTable,
  cancel: CancelOperation,
  place: OperationPlace,
): CancelAction {
  const { status = 200, answer, ended = 'reject' } = cancel
  const answerWith = (own?: Template): Answer => {
    const write = taskWriter(table, place, own)
    return (status, task, call) => replyWith(status, () => write(call, task))
  }
  const usual = { status, reply: answerWith(answer), replyWith: answerWith }
  return {
    operation: 'tasks.cancel',
    check({ request, sim }) {
      if (apiSettings(table, sim.scenario).cancel === false)
        throw new Problem('not_found', `There is nothing at ${request.method} ${request.path}.`)
    },
    checkTask: taskChecker(table, place, cancel.reject),
    acceptsEnded: ended === 'answer',
    encode: taskAnswer(table, place, cancel, usual),
  }
}

/** Deletes a task as a table describes. */
export function deleteAction(
  table: DialectTable,
  { status = 204, answer, reject, keeps_record: keepsRecord = false }: DeleteOperation,
  place: OperationPlace,
): DeleteAction {
  const write = taskWriter(table, place, answer)
  return {
    operation: 'tasks.delete',
    checkTask: taskChecker(table, place, reject),
    keepsRecord,
    encode: (task, call) => replyWith(status, () => write(call, task)),
  }
}

/** Answers with a file as a table describes. */
export function fileAction(
  table: DialectTable,
  { index = 0, reject, picture, pictures = {} }: FileOperation,
  place: OperationPlace,
): FileAction {
  const read = requestReader(index, place)
  const readPicture = requestReader(picture ?? '', place)
  return {
    operation: 'files.download',
    checkTask: taskChecker(table, place, reject),
    file: (call) => Number(read(call) ?? 0),
    picture(call) {
      const word = String(readPicture(call) ?? '')
      return Object.hasOwn(pictures, word) ? pictures[word] : undefined
    },
  }
}
