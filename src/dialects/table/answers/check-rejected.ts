import type { Task } from '../../../engine/tasks/task.js'
import { Problem } from '../../../exchange/problem.js'
import type { Call } from '../../call.js'
import type { RejectedForm } from '../dialect-table.generated.js'
import type { Endpoint } from '../requests/endpoint.js'
import { REQUEST_VALUES, type RequestScope } from '../requests/request-values.js'
import { TASK_VALUES, type TaskScope } from '../tasks/task-values.js'
import { compileTemplate, isTrue, namesIn, type Values } from '../template/compile.js'
import { AnswerScope } from './answer-scope.js'

/** A request about a task. */
type TaskRequestScope = TaskScope & RequestScope

/** The values in the checks of a request about a task. */
export const CHECK_VALUES = { ...TASK_VALUES, ...REQUEST_VALUES } satisfies Values<TaskRequestScope>

/**
 * Returns a function that checks whether a service rejects a request.
 * @returns undefined if it rejects none
 * @throws Problem from the function, with the message of the first form that fits
 */
export function rejectionChecker(
  forms: readonly RejectedForm[] = [],
): ((scope: RequestScope) => void) | undefined {
  return forms.length === 0 ? undefined : compileForms(forms, REQUEST_VALUES)
}

/**
 * Returns a function that checks whether a service rejects a request about a task.
 * @returns undefined if it rejects none
 * @throws Problem from the function, with the message of the first form that fits
 */
export function taskChecker(
  endpoint: Endpoint,
  forms: readonly RejectedForm[] = [],
): ((task: Task, call: Call) => void) | undefined {
  if (forms.length === 0) return undefined
  const check = compileForms<TaskRequestScope>(forms, CHECK_VALUES)
  const concerns = requestFilter(forms)
  const { parameters } = endpoint
  return (task, call) => {
    const request = { call, body: {}, parameters }
    if (!concerns(request)) return
    check(Object.assign(new AnswerScope(endpoint, task, call), request))
  }
}

/**
 * Returns whether some forms may reject a request, as far as the request alone decides it. Most polls need no more than
 * this.
 */
function requestFilter(forms: readonly RejectedForm[]): (scope: RequestScope) => boolean {
  const conditions = forms.map((form) =>
    [form.if]
      .flat()
      .filter((each) => [...namesIn(each)].every((name) => Object.hasOwn(REQUEST_VALUES, name)))
      .map((each) => compileTemplate<RequestScope>(each, REQUEST_VALUES)),
  )
  return (scope) => conditions.some((reads) => reads.every((read) => isTrue(read(scope))))
}

function compileForms<Scope>(forms: readonly RejectedForm[], values: Values<Scope>): (scope: Scope) => void {
  const compiled = forms.map(({ if: conditions, message, ...more }) => ({
    reads: [conditions].flat().map((each) => compileTemplate<Scope>(each, values)),
    readMessage: compileTemplate<Scope>(message, values),
    ...more,
  }))
  return (scope) => {
    for (const { reads, readMessage, param, status, code } of compiled) {
      if (!reads.every((read) => isTrue(read(scope)))) continue
      const text = String(readMessage(scope) ?? '')
      const own = { status, code }
      throw new Problem('invalid_request', text, param === undefined ? { own } : { param, own })
    }
  }
}
