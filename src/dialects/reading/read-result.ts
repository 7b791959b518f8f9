import type { JsonObject } from '../../engine/json.js'
import { excerptOf } from '../../engine/json.js'
import { wordIn } from '../../engine/tasks/answered-task.js'
import type { Status } from '../../engine/tasks/task.js'
import { readRejection } from '../../exchange/read-rejection.js'
import type { Dialect } from '../dialect.js'
import { errorAnswers } from '../table/answers/error-answers.js'
import type {
  ErrorAnswer,
  ResultOperation,
  RetrieveOperation,
  StateAnswer,
} from '../table/dialect-table.generated.js'
import { readBack } from './read-back.js'
import { errorIn } from './read-task.js'
import type { SeenTask } from './seen-values.js'
import { SeenValues } from './seen-values.js'

/** Statuses that say nothing about the task: the request was rejected, or did not reach the service. */
const ABOUT_REQUEST = [401, 408, 429, 502, 503]

/**
 * Reads what the answer to a request for the result of a task says about the task. For some services, only this answer
 * shows whether it failed.
 * @param known the state of the task in earlier answers
 * @returns undefined if it says nothing about its end
 */
export function readResult(
  { table }: Dialect,
  { states = {}, answer }: ResultOperation,
  {
    status,
    body,
    known,
  }: { readonly status: number; readonly body: JsonObject; readonly known: Status | undefined },
): Pick<SeenTask, 'status' | 'error' | 'output'> | undefined {
  if (status < 300) {
    const isHeldBack = (states.queued?.status ?? status) >= 300
    const isEnded = isHeldBack || known === 'succeeded'
    return isEnded
      ? { status: 'succeeded', output: answer === WHOLE ? body : outputIn(answer, body) }
      : undefined
  }
  if (!isHidden(table.statuses)) return undefined
  const { failed, canceled, queued } = states
  if (answerWith(canceled, status) !== undefined) return { status: 'canceled' }
  const isUnfinished = answerWith(queued, status) !== undefined && known !== 'succeeded'
  const shown = answerWith(failed, status)
  const isAboutRequest = ABOUT_REQUEST.includes(status)
  if (isUnfinished || (shown === undefined && (known !== 'succeeded' || isAboutRequest))) return undefined
  const values = new SeenValues()
  readBack((shown ?? failed)?.answer ?? null, body, values.add)
  const error = errorIn(values, table, body) ?? rejectionIn(body)
  const isOfTask = !isAboutRequest || Object.hasOwn(failed?.by_error ?? {}, error?.code ?? '')
  return isOfTask ? { status: 'failed', error } : undefined
}

/**
 * Reads why a task has failed, where the service rejects a poll of a failed task.
 * @returns undefined if the answer says nothing about the task
 */
export function readFailure(
  { answers, table }: Dialect,
  { states: { failed, canceled } = {} }: Pick<RetrieveOperation, 'states'>,
  { status, body }: { readonly status: number; readonly body: JsonObject },
): Pick<SeenTask, 'status' | 'error'> | undefined {
  const shown = answerWith(failed, status)
  if (shown === undefined)
    return answerWith(canceled, status) === undefined ? undefined : { status: 'canceled' }
  const values = new SeenValues()
  readBack(shown.answer ?? failed?.answer ?? null, body, values.add)
  return { status: 'failed', error: errorIn(values, table, body, wordIn(body, answers)) ?? rejectionIn(body) }
}

const WHOLE = '{{result}}'

/** The output that a part of a result shows. */
function outputIn(answer: ResultOperation['answer'], body: JsonObject): JsonObject | undefined {
  const values = new SeenValues()
  readBack(answer ?? null, body, values.add)
  return values.output
}

function isHidden({ succeeded, failed }: { readonly [State in Status]: { readonly word: string } }): boolean {
  return succeeded.word === failed.word
}

/** The answer in a state that has a status; undefined if none has. */
function answerWith(state: StateAnswer | undefined, status: number): ErrorAnswer | undefined {
  return errorAnswers(state ?? {}).find(([, answer]) => answer.status === status)?.[1]
}

/** Characters of a message that has no known form. */
const LONGEST_MESSAGE = 200

function rejectionIn(body: JsonObject): SeenTask['error'] {
  const { code, message = excerptOf(body, LONGEST_MESSAGE) } = readRejection(body)
  return { code, message }
}
