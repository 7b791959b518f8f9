import { STATUSES } from '../../engine/tasks/task.js'
import { EVENT_NAMES } from '../../engine/webhooks/event.js'
import {
  anyObject,
  count,
  instant,
  listOf,
  number,
  object,
  oneOf,
  orNull,
  pageOf,
  ref,
  type Schema,
  text,
  word,
} from '../schema.js'

const fileUrl = (what: string) =>
  text(what, {
    format: 'uri',
    examples: ['http://127.0.0.1:4010/files/task_82wsE0eJdLYSLPR9BIkYOFzx/0.png?expires=...'],
  })

const TASK = object({
  id: text('`task_` and 24 letters and digits', {
    pattern: '^task_[A-Za-z0-9]{24}$',
    examples: ['task_82wsE0eJdLYSLPR9BIkYOFzx'],
  }),
  model: text('The model, as it was sent', { examples: ['acme/image-1'] }),
  status: word(
    '`queued` while it waits for capacity, then `processing`; `succeeded`, `failed` and `canceled` are final',
    STATUSES,
  ),
  input: anyObject("The model's parameters, as they were sent"),
  'output?': {
    ...ref('Output'),
    description: 'Present when the task has succeeded, until it is no longer kept',
  },
  'error?': { ...ref('TaskError'), description: 'Present when the task has failed' },
  'cost_usd?': number('Present once the task has ended; 0 unless it has succeeded', { minimum: 0 }),
  created_at: instant('When it was created'),
  'completed_at?': instant('When it ended'),
})

const LLM_OUTPUT = object({
  message: object({
    role: { const: 'assistant' },
    content: orNull(text('The text; null beside a call of a tool, empty where reasoning used up all tokens')),
    'tool_calls?': listOf(
      object({
        id: text('Names the call'),
        type: { const: 'function' },
        function: object({
          name: text('The tool'),
          arguments: text("JSON that the tool's schema accepts", { examples: ['{"city":"verbum"}'] }),
        }),
      }),
    ),
  }),
  finish_reason: text('`stop`, `length` or `tool_calls`, or the word that the scenario gives', {
    examples: ['stop'],
  }),
  usage: object({
    input_tokens: count('Tokens of the conversation'),
    output_tokens: count('Tokens of the answer, reasoning included'),
    total_tokens: count('Their sum'),
    'reasoning_tokens?': count('Where `reasoning_effort` was given'),
  }),
})

/** The parts of the service's document that several operations share. */
export const SERVICE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Task: TASK,
  NewTask: object({
    model: text('Which model; any id will do, unless the scenario says otherwise', {
      minLength: 1,
      maxLength: 200,
      examples: ['acme/image-1'],
    }),
    input: anyObject("The model's parameters"),
    'webhook_url?': {
      type: ['string', 'null'],
      format: 'uri',
      maxLength: 2_000,
      description: 'Gets a signed POST when the task ends',
    },
  }),
  TaskPage: pageOf(ref('Task')),
  TaskError: object({
    code: text('A word for programs', { examples: ['content_policy'] }),
    message: text('A sentence for people', { examples: ['The prompt was rejected.'] }),
  }),
  Output: oneOf(
    'Its keys depend on the kind of model; a scenario may put anything in its place',
    ref('ImageOutput'),
    ref('VideoOutput'),
    ref('AudioOutput'),
    ref('LlmOutput'),
    ref('ToolOutput'),
    anyObject('What the scenario gives'),
  ),
  ImageOutput: object({ images: listOf(fileUrl('A picture'), 'As many as were asked for') }),
  VideoOutput: object({ video: fileUrl('The video') }),
  AudioOutput: object({ audio: fileUrl('The sound') }),
  LlmOutput: LLM_OUTPUT,
  ToolOutput: object({ result: anyObject('What the tool made', { examples: [{ status: 'completed' }] }) }),
  WebhookEvent: object({
    event: word('What happened', EVENT_NAMES),
    task: object({
      id: text('The task'),
      status: word('The state it ended in', ['succeeded', 'failed', 'canceled']),
      'output?': { ...ref('Output'), description: 'Of a success' },
      'error?': { ...ref('TaskError'), description: 'Of a failure' },
    }),
  }),
}
