import { after } from '../../../engine/awaitable.js'
import { jsonText } from '../../../exchange/reply.js'
import type { DialectTable } from '../dialect-table.generated.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { compileTask } from '../tasks/task-template.js'
import type { Template } from '../template/template.js'
import { AnswerScope } from './answer-scope.js'
import { dataUrlWriter } from './data-urls.js'
import { replyFrom } from './reply-with.js'
import type { Answer } from './task-answer.js'
import { taskWriter } from './task-writer.js'

/**
 * Returns a function that answers with a task: with its files, if the table asks for that, otherwise with their URLs;
 * and with the beginning of its text, if the table asks for that.
 * @param hidesLogs whether the client asked for an answer without log lines
 */
export function taskReply(
  table: DialectTable,
  place: OperationPlace,
  own?: Template,
  hidesLogs = false,
): Answer {
  const write = taskWriter(table, place, own, hidesLogs)
  const plain: Answer = (status, task, call) => jsonText(status, write(call, task))
  const reply = table.outputs?.before_end === undefined ? plain : withBeginning(table, place, plain, own)
  const writeWithFiles = dataUrlWriter(table, place, compileTask(table, own))
  if (writeWithFiles === undefined) return reply
  return (status, task, call) => {
    const text = writeWithFiles(task, call, { hidesLogs })
    if (text === undefined) return reply(status, task, call)
    return after(text, (text) => ({ ...jsonText(status, text), hasFiles: true }))
  }
}

/** Shows the text of a running task as far as it is ready. */
function withBeginning(
  table: DialectTable,
  place: OperationPlace,
  plain: Answer,
  own: Template | undefined,
): Answer {
  const read = compileTask(table, own)
  return (status, task, call) => {
    if (task.status !== 'processing' || task.baseKind !== 'llm') return plain(status, task, call)
    const { progress } = call.sim.live.of(task.dialect) ?? {}
    return after(progress?.partialResultOf(task, call.sim.clock.now()), (result) =>
      replyFrom(status, read, new AnswerScope(table, call, { ...task, result }, place)),
    )
  }
}
