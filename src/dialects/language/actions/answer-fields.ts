import * as v from 'valibot'
import { anyOf, byName, closed, converted } from '../../../scenario/schema/forms.js'
import { settableHeader } from '../../../scenario/schema/names.js'
import { described, integerFrom, numberFrom, oneOf, optional, text } from '../../../scenario/schema/parts.js'
import { TASK_PARAMETER } from '../../table/requests/task-parameter.js'
import { CONTEXTS, type TemplateContext, template, textTemplate } from '../template-check.js'

/** The status of an answer. */
export const status = optional(integerFrom(200, 299), 'The status of the answer')

/** The type of the tasks of an operation. */
export const object = optional(text, 'The type of its tasks, one of `objects`. The default is the main type')

/** The type of the tasks of an operation on files. */
export const objectOrAny = optional(
  text,
  'The type of its tasks, one of `objects`, or `any`. The default is the main type',
)

const TASK_FORM =
  'expected a query parameter such as {{query.task_id}}, a header such as {{header.x-task-id}}, or a field of the body such as {{body.task_id}}'

/** Where the id of the task is, if it is not in the path. */
export const task = optional(
  v.pipe(textTemplate(CONTEXTS.request), v.regex(TASK_PARAMETER, TASK_FORM)),
  'Where the id of the task is, if not in the path: {{query.NAME}}, {{header.NAME}} or {{body.NAME}}',
)

/** The answer about a task. */
export const answer = optional(template(CONTEXTS.answer), 'The body of the answer. The default is the task')

const anyStatus = integerFrom(200, 599)

const answerParts = {
  status: optional(anyStatus, 'The status. The default is that of the operation'),
  answer: optional(template(CONTEXTS.answer), 'The body. The default is that of the operation'),
  headers: optional(byName(settableHeader, textTemplate(CONTEXTS.answer)), 'Further headers'),
}

const errorAnswer = closed('ErrorAnswer', answerParts)

const stateAnswer = closed('StateAnswer', {
  ...answerParts,
  by_error: optional(
    byName(
      text,
      anyOf(
        'expected a status, or a mapping with a `status`, an `answer` or `headers`',
        v.pipe(
          anyStatus,
          converted(errorAnswer, (status) => ({ status })),
        ),
        errorAnswer,
      ),
    ),
    'Other answers, by the code of the error of the task: statuses, or mappings. What one leaves out is that of the state',
  ),
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

/** The answers in place of a file that does not exist yet, or never will. */
export const fileStates = optional(
  closed('FileStates', {
    queued: optional(stateAnswer, 'The task waits for capacity'),
    processing: optional(stateAnswer, 'The task runs'),
    failed: optional(stateAnswer, 'The task has an error'),
    canceled: optional(stateAnswer, 'The task was canceled'),
  }),
  'The answers in place of the file in some states of the task, such as 202 until there is a file. The default is a 404',
)

/** Whether an answer has log lines. */
export const logsIf = optional(
  textTemplate(CONTEXTS.request),
  'The requests that get `{{log_lines}}`, null for others: a value that is neither missing nor null nor false. The default is all',
)

/** The answer about an upload. */
export const uploadAnswer = optional(
  template(CONTEXTS.upload),
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

/** The pages of a list of items that are not tasks. */
export const itemPage = {
  limit: v.optional(v.pipe(pageSize, v.description('The page size. By default, all are on one page'))),
  after: optional(text, 'The query parameter with `{{next_cursor}}` of the previous page'),
}

/** A number of milliseconds. */
export const milliseconds = v.union(
  [textTemplate(CONTEXTS.request), numberFrom(0, 600_000)],
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
  'For how many milliseconds the answer waits until the task has ended',
)

/** Whether an answer is a file. */
export const gives = optional(
  oneOf(['file']),
  '`file` if the answer about a success is its first output file; in `create`, only an answer that has waited. By default, it is `answer`',
)

/** Which requests get a file. */
export const givesIf = optional(
  textTemplate(CONTEXTS.request),
  'The requests that `gives` answers: a value that is neither missing nor null nor false. The default is all',
)

/**
 * The requests that a service rejects.
 * @param name the name of the type of one of them
 */
function rejected(context: TemplateContext, name: string) {
  const form = closed(name, {
    if: described(
      anyOf(
        'expected a condition, or a list of conditions',
        textTemplate(context),
        v.array(textTemplate(context)),
      ),
      'The condition: a value that is neither missing nor null nor false. All conditions of a list must be true',
    ),
    message: described(textTemplate(context), 'The message of the rejection'),
    param: optional(text, 'The field or parameter that is wrong'),
    status: optional(integerFrom(200, 599), 'The status; some services reject with 200', 400),
    code: optional(text, 'The code in the words of the service, for `{{own_code}}` in `error`'),
  })
  return optional(
    v.pipe(
      v.array(form),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return
        for (const [index, entry] of dataset.value.entries()) {
          const first = dataset.value.slice(0, index).findIndex((earlier) => matchesAll(earlier, entry))
          if (first === -1) continue
          const message = `never applies, because all conditions of \`reject[${first}]\` are among its own: move it before that entry, or remove it`
          addIssue({
            message,
            path: [{ type: 'array', origin: 'value', input: dataset.value, key: index, value: entry }],
          })
        }
      }),
    ),
    'Requests that the service rejects, in the order of its checks',
  )
}

interface Conditional {
  readonly if: string | readonly string[]
}

/** Whether all conditions of an entry are among those of another one. */
function matchesAll(entry: Conditional, other: Conditional): boolean {
  const conditions = [other.if].flat()
  return [entry.if].flat().every((condition) => conditions.includes(condition))
}

/** The create requests that a service rejects. */
export const rejectedOrders = rejected(CONTEXTS.request, 'RejectedOrder')

/** The requests about a task that a service rejects. */
export const rejectedRequests = rejected(CONTEXTS.check, 'RejectedForm')

const streamEvent = closed('StreamEvent', {
  if: optional(
    anyOf(
      'expected a condition, or a list of conditions',
      textTemplate(CONTEXTS.event),
      v.array(textTemplate(CONTEXTS.event)),
    ),
    'A value that is neither missing nor null nor false; all values of a list. By default, the event is sent',
  ),
  event: optional(textTemplate(CONTEXTS.event), 'The type of the event'),
  id: optional(textTemplate(CONTEXTS.event), 'The id of the event'),
  data: described(template(CONTEXTS.event), 'The data: JSON, unless it is a text'),
})

const someEvents = anyOf(
  'expected an event with `data`, or a list of events',
  v.array(streamEvent),
  streamEvent,
)

/** The events of a stream, by what has happened. */
export const streamEvents = closed('StreamEvents', {
  created: optional(someEvents, 'The beginning of the stream: the task as it was at its creation'),
  started: optional(someEvents, 'The start of the task'),
  queued: optional(someEvents, 'The task waits, and its first log lines'),
  processing: optional(someEvents, 'The task runs, and each time that it has new log lines'),
  output: optional(someEvents, 'A part of the output: a piece of a text, or the URL of a file'),
  succeeded: optional(someEvents, 'The end of a success'),
  failed: optional(someEvents, 'The end of a failure'),
  canceled: optional(someEvents, 'The end of a canceled task'),
})

/** Which requests get a stream. */
export const streamIf = textTemplate(CONTEXTS.request)

/** The number of the last event that a client has. */
export const resumeAfter = optional(
  textTemplate(CONTEXTS.request),
  'The `{{sequence}}` of the last event that the client has, such as {{query.after}}; only later events are sent',
)
