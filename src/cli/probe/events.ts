import { systemNow } from '../../engine/clock/system-clock.js'
import type { JsonObject, JsonValue } from '../../engine/json.js'
import { Chance, drawWord } from '../../engine/random.js'
import { exampleState } from '../../engine/webhooks/events/example-task.js'
import { TASK_EVENTS, type TaskEvent } from '../../engine/webhooks/events/task-event.js'
import type { WebhookFault } from '../../engine/webhooks/faults/webhook-fault.js'
import { signAttempt } from '../../engine/webhooks/signing/sign-attempt.js'
import type { TaskAtEvent, WebhookMessage } from '../../engine/webhooks/webhook-format.js'
import type { ProbeContext, ProbeTools } from './probe.js'
import type { ProbeRequest } from './send-request.js'

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The events that the service sends; those of ends come first. */
export function eventsOf({ keys }: Pick<ProbeContext, 'keys'>): readonly TaskEvent[] {
  return TASK_EVENTS.filter((event) => keys.format.nameOf(event) !== undefined)
}

/** The event of most probes: that of a success, if the service sends it. */
export function mainEventOf(context: Pick<ProbeContext, 'keys'>): TaskEvent {
  return eventsOf(context)[0] ?? 'task.succeeded'
}

/** The service's name for an event. */
export function nameOf(event: TaskEvent, { keys }: Pick<ProbeContext, 'keys'>): string {
  return keys.format.nameOf(event) ?? event
}

/** The task of an event. */
function stateOf(event: TaskEvent, taskId: string, { dialect }: ProbeContext): TaskAtEvent {
  return exampleState(event, dialect.name, taskId)
}

/** The bytes of an event as the service writes it. */
export function bodyOf(
  event: TaskEvent,
  taskId: string,
  context: ProbeContext,
  state = stateOf(event, taskId, context),
): Bytes {
  return context.keys.format.body(nameOf(event, context), state)
}

const MESSAGE = 'Für „日本語“ nicht möglich \u2028🙈'

/** The failure of a task with a message in other languages; undefined if the service does not send messages. */
export function nonAsciiBody(taskId: string, context: ProbeContext): Bytes | undefined {
  if (!eventsOf(context).includes('task.failed')) return undefined
  const { task, ...state } = stateOf('task.failed', taskId, context)
  const error = { code: 'content_policy', message: MESSAGE }
  const body = bodyOf('task.failed', taskId, context, { ...state, task: { ...task, error } })
  return decoder.decode(body).includes('日本語') ? body : undefined
}

const LARGE_CHARACTERS = 256 * 1_024
const TEXT = 'All work and no play. '.repeat(12_000)

/** A success with a long text; undefined if the service does not send texts. */
export function largeBody(taskId: string, context: ProbeContext): Bytes | undefined {
  const event = mainEventOf(context)
  const { task, ...state } = stateOf(event, taskId, context)
  const output = { message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }
  const llm = { ...task, kind: 'llm', baseKind: 'llm' } as const
  const body = bodyOf(event, taskId, context, { ...state, output, task: llm })
  return body.length >= LARGE_CHARACTERS ? body : undefined
}

/** An event with a long field that has no meaning. */
export function paddedBody(body: Bytes, characters: number): Bytes {
  return write({ ...read(body), padding: 'x'.repeat(characters) })
}

/** An event without its task: only the fields that are not part of the task. */
export function bodyWithoutTask(body: Bytes, taskId: string): Bytes {
  const fields = Object.entries(read(body)).filter(
    ([, value]) => (typeof value !== 'object' || value === null) && !String(value).includes(taskId),
  )
  return write(Object.fromEntries(fields))
}

/** An event with words that the service does not use yet, in place of the event and the state of the task. */
export function unknownBody(body: Bytes, context: ProbeContext): Bytes {
  const names = eventsOf(context).map((event) => nameOf(event, context))
  const known = new Set([...names, ...Object.keys(context.dialect.answers.words)])
  return write(replaced(read(body), (text) => (known.has(text) ? unknownWord(text) : text)))
}

function unknownWord(word: string): string {
  const isUpperCase = word === word.toUpperCase()
  return word.replace(/[^.]*$/, isUpperCase ? 'ARCHIVED' : 'archived')
}

function replaced<Value extends JsonValue>(value: Value, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => replaced(item, change))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, change)]))
}

function read(body: Bytes): JsonObject {
  return JSON.parse(decoder.decode(body))
}

function write(value: JsonValue): Bytes {
  return encoder.encode(JSON.stringify(value))
}

type Headers = Readonly<Record<string, string>>

/** A webhook before it is signed. */
interface ProbeWebhook {
  readonly message: WebhookMessage
  /** The headers that are not part of the signature. */
  readonly headers: Headers
}

const CHANCE = Chance.of('probe')

/** A webhook about an event, by default about the success of a task. The same event has the same id, as in a retry. */
export function webhookOf(
  { context, id, taskId }: ProbeTools,
  event: TaskEvent = mainEventOf(context),
  body = bodyOf(event, taskId, context),
): ProbeWebhook {
  const { headers } = context.keys.format
  const messageId = `msg_${drawWord(CHANCE.stream(`message ${id} ${event}`), 24)}`
  return {
    message: { id: messageId, at: systemNow(), body },
    headers: headers?.(nameOf(event, context), stateOf(event, taskId, context)) ?? {},
  }
}

/** The id of the task in the events of a probe, in the format of the service; the same in every run. */
export function taskIdFor(probe: string, { context }: Pick<ProbeTools, 'context'>): string {
  return context.taskId ?? context.dialect.taskIds.draw(CHANCE.stream(`task ${probe}`))
}

/** A request with a webhook, correctly signed except for a fault. */
export async function signed(
  { message, headers }: ProbeWebhook,
  { context }: ProbeTools,
  { fault, type }: { readonly fault?: WebhookFault; readonly type?: string } = {},
): Promise<ProbeRequest> {
  const attempt = await signAttempt(message, context.keys, fault)
  return requestFor(attempt.body, { ...headers, ...attempt.headers }, type)
}

/** A request with a body and the headers of a webhook. */
function requestFor(body: Uint8Array, headers: Headers, type = 'application/json'): ProbeRequest {
  return { body, headers: { 'Content-Type': type, ...headers } }
}
