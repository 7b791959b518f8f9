import * as v from 'valibot'
import {
  anyObject,
  described,
  instant,
  number,
  orNull,
  pageOf,
  text,
  word,
} from '../../control/schema/parts.js'
import { TaskError } from '../../control/schema/tasks.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { END_EVENT_NAMES } from '../../engine/webhooks/events/task-event.js'
import { OUTPUT_SCHEMAS } from '../../kinds/output-schemas.js'

/** The outputs of the kinds, as components: `ImageOutput`, `VideoOutput` ... */
const KIND_OUTPUTS = Object.fromEntries(
  Object.entries(OUTPUT_SCHEMAS).map(([kind, schema]) => [
    `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Output`,
    schema,
  ]),
)

const Output = described(
  v.union([...Object.values(OUTPUT_SCHEMAS), anyObject('The output that the scenario sets')]),
  'The keys depend on the kind of model; a scenario may set any other output',
)

const Task = v.strictObject({
  id: text('`task_` and 24 letters and digits', {
    pattern: '^task_[A-Za-z0-9]{24}$',
    examples: ['task_82wsE0eJdLYSLPR9BIkYOFzx'],
  }),
  model: text('The model, as in the request', { examples: ['acme/image-1'] }),
  status: word(
    STATUSES,
    '`queued` while the task waits for capacity, then `processing`; `succeeded`, `failed` and `canceled` are final',
  ),
  input: anyObject('The input, as in the request'),
  output: v.optional(described(Output, 'The output of a successful task, until its retention ends')),
  error: v.optional(described(TaskError, 'The error of a failed task')),
  cost_usd: v.optional(
    number('The cost in US dollars, once the task has ended; 0 unless it succeeded', { minimum: 0 }),
  ),
  created_at: instant('When the task was created'),
  completed_at: v.optional(instant('When the task ended')),
})

/** The schemas of the service by name. */
export const SERVICE_COMPONENTS = {
  Task,
  NewTask: v.strictObject({
    model: text('The model; any id, unless the scenario restricts them', {
      minLength: 1,
      maxLength: 200,
      examples: ['acme/image-1'],
    }),
    input: anyObject('The input of the model'),
    webhook_url: v.optional(
      orNull(
        text('The URL that receives a signed POST when the task ends', { format: 'uri', maxLength: 2_000 }),
      ),
    ),
  }),
  TaskPage: pageOf(Task),
  TaskError,
  Output,
  ...KIND_OUTPUTS,
  WebhookEvent: v.strictObject({
    event: word(END_EVENT_NAMES, 'The event'),
    task: v.strictObject({
      id: text('The id of the task'),
      status: word(['succeeded', 'failed', 'canceled'], 'The final status of the task'),
      output: v.optional(described(Output, 'The output of a successful task')),
      error: v.optional(described(TaskError, 'The error of a failed task')),
    }),
  }),
}
