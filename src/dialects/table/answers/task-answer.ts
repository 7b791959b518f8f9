import { type Awaitable, after } from '../../../engine/awaitable.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Reply } from '../../../exchange/exchange.js'
import type { Call } from '../../call.js'
import type { DialectTable, StateAnswer, StateAnswers } from '../dialect-table.generated.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { TASK_VALUES, type TaskScope } from '../tasks/task-values.js'
import type { Template } from '../template/template.js'
import { AnswerScope } from './answer-scope.js'
import { headersWriter } from './headers-writer.js'

/** Answers about a task with a status. */
export type Answer = (status: number, task: Task, call: Call) => Awaitable<Reply>

/** How an operation answers about a task, apart from the states in which it answers otherwise. */
interface UsualAnswer {
  readonly status: number
  readonly reply: Answer
  /** Makes the answer with another template. */
  readonly replyWith: (own: Template) => Answer
}

/** Returns a function that answers about a task, as its state and the headers of the table require. */
export function taskAnswer(
  table: DialectTable,
  place: OperationPlace,
  { states = {} }: { readonly states?: StateAnswers | undefined },
  { status, reply, replyWith }: UsualAnswer,
): (task: Task, call: Call) => Awaitable<Reply> {
  const byState = new Map(
    Object.entries(states).flatMap(([state, own]) =>
      own === undefined ? [] : [[state, stateAnswer(own, { status, reply, replyWith })] as const],
    ),
  )
  const addHeaders = headersWriter<TaskScope>(table.headers, TASK_VALUES)
  const usual = (task: Task, call: Call) => {
    const own = byState.get(task.status)
    return own === undefined ? reply(status, task, call) : own.reply(own.statusOf(task), task, call)
  }
  if (byState.size === 0 && addHeaders === undefined) return (task, call) => reply(status, task, call)
  return (task, call) =>
    after(usual(task, call), (given) => {
      const scope = new AnswerScope(table, call, task, place)
      addHeaders?.(scope, given.headers)
      byState.get(task.status)?.addHeaders?.(scope, given.headers)
      return given
    })
}

function stateAnswer(own: StateAnswer, usual: UsualAnswer) {
  const { answer, status = usual.status, by_error: byError = {} } = own
  return {
    reply: answer === undefined ? usual.reply : usual.replyWith(answer),
    addHeaders: headersWriter<TaskScope>(own.headers, TASK_VALUES),
    statusOf: ({ error }: Task) =>
      (error !== undefined && Object.hasOwn(byError, error.code) ? byError[error.code] : undefined) ?? status,
  }
}
