import type { JsonObject, JsonValue } from '../../engine/json.js'
import { logsOf } from '../../engine/progress/log-lines.js'
import { Chance } from '../../engine/random.js'
import type { Task } from '../../engine/tasks/task.js'
import { TASK_EVENTS, type TaskEvent, type WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import type { Dialect } from '../dialect.js'
import type { DialectTable, WebhookState, WebhookTable } from './dialect-table.js'
import { signerOf } from './sign.js'
import { signingSecrets } from './signing-secrets.js'
import { TASK_VALUES, type TaskScope } from './task-values.js'
import { compileTask, wordOf } from './task-writer.js'
import { compileTemplate, type Values } from './template/compile.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

interface WebhookScope extends TaskScope {
  readonly event: string
  /** The task as in other answers. */
  readonly whole: JsonValue | undefined
}

/** The values in the templates of webhooks. */
export const WEBHOOK_VALUES = {
  ...TASK_VALUES,
  event: ({ event }) => event,
  task: ({ whole }) => whole,
} satisfies Values<WebhookScope>

const NO_WEBHOOK: WebhookTable = { url: '', events: {} }
const DEFAULT_TIMEOUT = 15_000

/** The webhooks that a table describes; none if it has no section about them. The scenario may set the secrets. */
export function tableWebhooks(table: DialectTable, taskIds: Dialect['taskIds']): Dialect['webhooks'] {
  const format = formatWithoutSecrets(table, taskIds)
  return (scenario) => ({ ...format, ...signingSecrets(table, scenario) })
}

function formatWithoutSecrets(
  table: DialectTable,
  taskIds: Dialect['taskIds'],
): Omit<WebhookFormat, 'secret' | 'previousSecret'> {
  const { webhook = NO_WEBHOOK, statuses } = table
  const { events, retries = [], timeout = DEFAULT_TIMEOUT } = webhook
  const write = bodyWriter(table)
  return {
    retries,
    timeout,
    honorsRetryAfter: false,
    exampleTaskId: taskIds.draw(Chance.of('example').stream('id')),
    nameOf: (event) => events[stateOf(event)],
    eventOf: (name) => TASK_EVENTS.find((event) => event === name || events[stateOf(event)] === name),
    body: (event, task, output) => bytesOf(write({ table, event, task, output })),
    headers: headersOf(table),
    forge: (body) => bytesOf(forged(JSON.parse(decoder.decode(body)), swaps(statuses, events))),
    ...signerOf(webhook.signature),
  }
}

function bodyWriter(table: DialectTable): (announcement: Announcement) => JsonValue | undefined {
  const readTask = compileTask(table)
  const { body } = table.webhook ?? {}
  if (body === undefined) return (announcement) => readTask(taskScope(announcement))
  const read = compileTemplate<WebhookScope>(body, WEBHOOK_VALUES)
  return (announcement) => {
    const scope = taskScope(announcement)
    return read({ ...scope, event: announcement.event, whole: readTask(scope) })
  }
}

function headersOf(table: DialectTable): WebhookFormat['headers'] {
  const { headers } = table.webhook ?? {}
  if (headers === undefined) return undefined
  const read = compileTemplate<WebhookScope>(headers, WEBHOOK_VALUES)
  return (event, task) => {
    const scope = taskScope({ table, event, task, output: undefined })
    return textsIn(read({ ...scope, event, whole: undefined }))
  }
}

interface Announcement {
  readonly table: DialectTable
  readonly event: string
  readonly task: Task
  readonly output: JsonObject | undefined
}

function taskScope({ table, task, output }: Announcement): TaskScope {
  const base = task.extra?.['base']
  const now = task.completedAt ?? task.createdAt
  return {
    task,
    output,
    word: wordOf(table.statuses, task),
    now,
    base: () => (typeof base === 'string' ? base : task.origin),
    progress: () => (task.status === 'succeeded' ? 1 : 0),
    logs: () => logsOf(task, { now }),
  }
}

function textsIn(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(value ?? {})
  return Object.fromEntries(
    entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}

function stateOf(event: TaskEvent): WebhookState {
  return event.slice('task.'.length) as WebhookState
}

/** The words that a forgery exchanges, so that a success becomes a failure, or vice versa. */
function swaps(
  { succeeded, failed }: DialectTable['statuses'],
  events: WebhookTable['events'],
): ReadonlyMap<string, string> {
  const pairs = [
    [succeeded.word, failed.word],
    [events.succeeded, events.failed],
  ] as const
  const known = pairs.flatMap(([one, other]) =>
    one !== undefined && other !== undefined ? [[one, other]] : [],
  )
  return new Map(
    known.flatMap(([one = '', other = '']) => [
      [one, other],
      [other, one],
    ]),
  )
}

function forged(value: JsonValue, words: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return words.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => forged(inner, words))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, forged(inner, words)]))
}

function bytesOf(value: JsonValue | undefined): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value ?? {}))
}
