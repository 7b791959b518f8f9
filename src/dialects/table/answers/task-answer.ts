import { type Awaitable, after } from '../../../engine/awaitable.js'
import type { Task } from '../../../engine/tasks/task.js'
import { jsonText, type Reply } from '../../../exchange/exchange.js'
import type { Call } from '../../call.js'
import type { CreateOperation, ErrorAnswer } from '../dialect-table.generated.js'
import type { Endpoint } from '../requests/endpoint.js'
import { ownFileUrl } from '../tasks/task-parts.js'
import { TASK_VALUES, type TaskScope } from '../tasks/task-values.js'
import type { Read } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { AnswerScope } from './answer-scope.js'
import { errorAnswers } from './error-answers.js'
import { headersWriter } from './headers-writer.js'
import { type EncodedText, taskText } from './task-text.js'

/** Answers about a task. @param status the status in place of the one that the table has */
export type Answer = (task: Task, call: Call, status?: number) => Awaitable<Reply>

/** Answers about a task with a status. */
export type AnswerWith = (status: number, task: Task, call: Call) => Awaitable<Reply>

/**
 * Returns a function that answers with a task, as its state and the headers of the table require.
 * @param hidesLogs whether the client asked for an answer without log lines
 */
export function taskAnswer(
  answered: Pick<CreateOperation, 'states' | 'status' | 'answer'>,
  endpoint: Endpoint,
  hidesLogs = false,
): Answer {
  const { status: usual = 200, answer } = answered
  const { outputs = {}, headers } = endpoint.table
  const special =
    outputs.before_end ??
    outputs.data_urls ??
    outputs.data_urls_for ??
    outputs.data_urls_if ??
    headers ??
    answered.states
  if (special === undefined) {
    // Nearly every poll of the main dialect and of most others.
    const text = taskText(endpoint.table, { own: answer, hidesLogs })
    return (task, call, status = usual) => jsonText(status, text.of(task, call, endpoint))
  }
  const answerWith = (own?: Template) => shownTask(endpoint, own, hidesLogs)
  return byState(answered, endpoint, { status: usual, usual: answerWith(answer), answerWith })
}

/**
 * Returns a function that answers about a task, as its state and the headers of the table require.
 * @param usual the answer in states without their own
 * @param answerWith makes the answer with another template
 */
export function byState(
  { states = {} }: Pick<CreateOperation, 'states'>,
  endpoint: Endpoint,
  {
    status,
    usual,
    answerWith,
  }: {
    readonly status: number
    readonly usual: AnswerWith
    readonly answerWith: (own: Template) => AnswerWith
  },
): Answer {
  const ownAnswer = (own: ErrorAnswer) => ({
    answer: own.answer === undefined ? usual : answerWith(own.answer),
    addHeaders: headersWriter<TaskScope>(own.headers, TASK_VALUES),
    status: own.status ?? status,
  })
  const answers = new Map(
    Object.entries(states).flatMap(([state, own]) =>
      errorAnswers(own ?? {}).flatMap(([code, each]) =>
        own === undefined ? [] : [[keyOf(state, code), ownAnswer(each)] as const],
      ),
    ),
  )
  const answerTo = ({ status, error }: Task) =>
    (error && answers.get(keyOf(status, error.code))) ?? answers.get(status)
  const addHeaders = headersWriter<TaskScope>(endpoint.table.headers, TASK_VALUES)
  return (task, call, given) => {
    const own = answerTo(task)
    const answered =
      own === undefined ? usual(given ?? status, task, call) : own.answer(given ?? own.status, task, call)
    if (addHeaders === undefined && own?.addHeaders === undefined) return answered
    return after(answered, (reply) => {
      const scope = new AnswerScope(endpoint, task, call)
      addHeaders?.(scope, reply.headers)
      own?.addHeaders?.(scope, reply.headers)
      return reply
    })
  }
}

function keyOf(state: string, code: string | undefined): string {
  return code === undefined ? state : `${state} ${code}`
}

/**
 * Returns a function that answers with a task: with its files, if the table asks for that, otherwise with their URLs;
 * and with the beginning of its text, if the table asks for that.
 */
export function shownTask(endpoint: Endpoint, own?: Template, hidesLogs = false): AnswerWith {
  const text = taskText(endpoint.table, { own, hidesLogs })
  const showsBeginning = endpoint.table.outputs?.before_end !== undefined
  return (status, task, call) => {
    const withFiles = text.withFiles(task, call, endpoint)
    if (withFiles !== undefined) return after(withFiles, (encoded) => replyWithFiles(status, encoded))
    if (!showsBeginning || task.status !== 'processing' || task.baseKind !== 'llm') {
      const reply = jsonText(status, text.of(task, call, endpoint))
      return isInBucket(endpoint, task) ? { ...reply, hasFiles: true } : reply
    }
    const { progress } = call.sim.live.of(task.dialect) ?? {}
    return after(progress?.partialResultOf(task, call.sim.clock.now()), (result) =>
      jsonText(status, text.write(new AnswerScope(endpoint, { ...task, result }, call))),
    )
  }
}

/** Whether the files of a task are in a bucket of the client, from which tasksim sees no downloads. */
function isInBucket({ table }: Endpoint, task: Task): boolean {
  if (table.outputs?.url === undefined || (task.result?.files ?? 0) === 0) return false
  return ownFileUrl(table, { task, index: 0, base: () => '' })?.startsWith('gs:') === true
}

/** Answers with the text of a task that contains its files. */
export function replyWithFiles(status: number, encoded: EncodedText): Reply {
  return { ...jsonText(status, encoded.text), encoded, hasFiles: true }
}

/** Answers with JSON, or without a body if the status is 204. */
export function replyWith(status: number, write: () => string): Reply {
  return status === 204 ? { status, headers: {}, body: undefined } : jsonText(status, write())
}

/** Answers with a filled template; with an empty object if it has no value. */
export function replyFrom<Scope>(status: number, read: Read<Scope>, scope: Scope): Reply {
  return replyWith(status, () => JSON.stringify(read(scope) ?? {}))
}
