import * as v from 'valibot'
import { OUTCOMES, STATUSES } from '../../engine/tasks/task.js'
import { anyObject, count, described, flag, instant, number, pageOf, shape, text, word } from './parts.js'

export const TaskError = shape('The error of a task that failed or will fail', {
  code: text('An error code for programs', { examples: ['content_policy'] }),
  message: text('An error message for people'),
})

export const Plan = shape('The planned end of a task, drawn when the task was created', {
  outcome: word(OUTCOMES, 'How the task ends; a `stuck` task never ends'),
  ends_at: v.optional(instant('When the task ends; missing while it is queued, or if it ends at a poll')),
  ends_at_poll: v.optional(count('The number of the poll at which the task ends')),
  error: v.optional(described(TaskError, 'The error of a planned failure')),
  rule: v.optional(
    text(
      'The rule that applied; `directive` if the request overrode the scenario; for a recording, `recorded` or `learned`',
    ),
  ),
})

const common = {
  id: text('The id of the task', { examples: ['task_82wsE0eJdLYSLPR9BIkYOFzx'] }),
  model: text('The model that the task runs', { examples: ['acme/image-1'] }),
  kind: text('The kind of the model', { examples: ['image'] }),
  dialect: text('The wire format in which the task was created', { examples: ['tasks'] }),
  key: text('The API key, masked', { examples: ['sk_...ocal'] }),
  status: word(STATUSES, 'The status of the task'),
}

const times = {
  created_at: instant('When the task was created'),
  started_at: v.optional(instant('When the task left the queue')),
  completed_at: v.optional(instant('When the task ended')),
}

const held = flag('Whether the task is held and does not end by itself')

export const TaskBrief = shape('A task without input and output', {
  ...common,
  prompt: text('The prompt, up to 200 characters'),
  ...times,
  cost_usd: v.optional(number('The cost in US dollars, once the task has ended')),
  error: v.optional(text('The error code of a failed task')),
  files: v.optional(count('The number of output files; missing if there is none')),
  held,
})

export const Task = shape('A task with its plan, including what its client cannot see', {
  ...common,
  input: anyObject('The input, as the client sent it'),
  output: v.optional(anyObject('The output of a successful task, until its retention ends')),
  error: v.optional(described(TaskError, 'The error of a failed task')),
  cost_usd: v.optional(
    number('The cost in US dollars, once the task has ended; 0 unless it succeeded', {
      minimum: 0,
    }),
  ),
  webhook_url: v.optional(text('The webhook URL that the client gave', { format: 'uri' })),
  ...times,
  held,
  plan: Plan,
})

export const TaskPage = pageOf(described(v.union([Task, TaskBrief]), 'In full, or in brief'))
