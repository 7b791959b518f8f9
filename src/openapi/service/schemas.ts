import * as v from 'valibot'
import {
  anyObject,
  count,
  described,
  instant,
  list,
  number,
  orNull,
  pageOf,
  text,
  word,
} from '../../control/schema/parts.js'
import { TaskError } from '../../control/schema/tasks.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { EVENT_NAMES } from '../../scenario/model/events.js'

const fileUrl = (description: string) =>
  text(description, {
    format: 'uri',
    examples: ['http://127.0.0.1:4010/files/task_82wsE0eJdLYSLPR9BIkYOFzx/0.png?expires=...'],
  })

const ImageOutput = v.strictObject({ images: list(fileUrl(''), 'The URLs of the images') })
const VideoOutput = v.strictObject({ video: fileUrl('The URL of the video') })
const AudioOutput = v.strictObject({ audio: fileUrl('The URL of the audio file') })
const ToolOutput = v.strictObject({
  result: anyObject('The result of the tool', { examples: [{ status: 'completed' }] }),
})

const ToolCall = v.strictObject({
  id: text('The id of the call'),
  type: v.literal('function'),
  function: v.strictObject({
    name: text('The name of the tool'),
    arguments: text('The arguments as JSON that matches the schema of the tool', {
      examples: ['{"city":"verbum"}'],
    }),
  }),
})

const LlmOutput = v.strictObject({
  message: v.strictObject({
    role: v.literal('assistant'),
    content: orNull(text('The text; null with a tool call, empty if reasoning used up all tokens')),
    tool_calls: v.optional(list(ToolCall, 'The tool calls')),
  }),
  finish_reason: text('`stop`, `length` or `tool_calls`, or the value that the scenario sets', {
    examples: ['stop'],
  }),
  usage: v.strictObject({
    input_tokens: count('The tokens of the conversation'),
    output_tokens: count('The tokens of the response, including reasoning'),
    total_tokens: count('The sum of both'),
    reasoning_tokens: v.optional(count('The tokens of the reasoning, if `reasoning_effort` was given')),
  }),
})

const Output = described(
  v.union([
    ImageOutput,
    VideoOutput,
    AudioOutput,
    LlmOutput,
    ToolOutput,
    anyObject('The output that the scenario sets'),
  ]),
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
  ImageOutput,
  VideoOutput,
  AudioOutput,
  LlmOutput,
  ToolOutput,
  WebhookEvent: v.strictObject({
    event: word(EVENT_NAMES, 'The event'),
    task: v.strictObject({
      id: text('The id of the task'),
      status: word(['succeeded', 'failed', 'canceled'], 'The final status of the task'),
      output: v.optional(described(Output, 'The output of a successful task')),
      error: v.optional(described(TaskError, 'The error of a failed task')),
    }),
  }),
}
