import * as v from 'valibot'
import { anyOf, byName, closed } from '../../../scenario/schema/forms.js'
import { settableHeader } from '../../../scenario/schema/header-name.js'
import { integerFrom, numberFrom, optional, text } from '../../../scenario/schema/parts.js'
import { template, textTemplate } from '../template-check.js'
import { PLACES } from '../template-places.js'

/** The status of an answer. */
export const status = optional(integerFrom(200, 299), 'The status of the answer')

/** The type of the tasks of an operation. */
export const object = optional(text, 'The type of its tasks, one of `objects`. The default is the main type')

/** The answer about a task. */
export const answer = optional(template(PLACES.answer), 'The body of the answer. The default is the task')

const anyStatus = integerFrom(200, 599)

const stateAnswer = closed('StateAnswer', {
  status: optional(anyStatus, 'The status. The default is that of the operation'),
  by_error: optional(byName(text, anyStatus), 'Other statuses, by the code of the error of the task'),
  answer: optional(template(PLACES.answer), 'The body. The default is that of the operation'),
  headers: optional(byName(settableHeader, textTemplate(PLACES.answer)), 'Further headers'),
})

/** The answers that differ by the state of the task. */
export const states = optional(
  closed('StateAnswers', {
    queued: optional(stateAnswer, 'The task waits for capacity'),
    processing: optional(stateAnswer, 'The task runs'),
    succeeded: optional(stateAnswer, 'The task has an output'),
    failed: optional(stateAnswer, 'The task has an error'),
    canceled: optional(stateAnswer, 'The task was canceled'),
  }),
  'Other answers in some states of the task',
)

/** Whether an answer has log lines. */
export const logsIf = optional(
  textTemplate(PLACES.request),
  'A value that must be true for `{{log_lines}}`; otherwise they are null. By default, they are sent',
)

/** The answer about an upload. */
export const uploadAnswer = optional(
  template(PLACES.upload),
  'The body of the answer. The default is the upload',
)

/** The page size of a list, and its query parameter. */
export const pageSize = optional(
  closed('PageSize', {
    parameter: optional(text, 'The query parameter', 'limit'),
    default: optional(integerFrom(1, 1_000), 'The page size without the parameter', 20),
    max: optional(integerFrom(1, 1_000), 'The largest page size', 100),
  }),
  'The page size',
)

/** The pages of a list of items that are no tasks. */
export const itemPage = {
  limit: v.optional(v.pipe(pageSize, v.description('The page size. By default, all are on one page'))),
  after: optional(text, 'The query parameter with `{{next_cursor}}` of the previous page'),
}

/** A number of milliseconds. */
export const milliseconds = v.union(
  [textTemplate(PLACES.request), numberFrom(0, 600_000)],
  'expected a number of milliseconds, or a placeholder',
)

/** The fields that a create request must have: a list, or a mapping with what to give in each. */
export const requiredFields = optional(
  anyOf('expected a list of fields, or a mapping of fields to texts', v.array(text), byName(text, text)),
  'The fields that the body must have: a list, or a mapping with what to give in each, such as `a text`, for the message',
)

/** How long to hold an answer. */
export const wait = optional(
  milliseconds,
  'How many milliseconds to hold the answer until the task has ended',
)
