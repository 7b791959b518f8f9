import { asText, type JsonValue } from '../../../engine/json.js'
import { Chance } from '../../../engine/random.js'
import { oncePer } from '../../../engine/recent.js'
import type { Follow, Status, Task } from '../../../engine/tasks/task.js'
import { END_EVENTS, TASK_EVENTS, type TaskEvent } from '../../../engine/webhooks/events/task-event.js'
import type { TaskAtEvent, WebhookFormat } from '../../../engine/webhooks/webhook-format.js'
import type { Dialect } from '../../dialect.js'
import type { DialectTable, DialectWebhook } from '../dialect-table.generated.js'
import { signingSecrets, webhookConfiguration } from '../scenario-settings.js'
import { allTables, tableOfTask } from '../tasks/objects.js'
import { taskIdsOf } from '../tasks/task-ids.js'
import { streamUrlOf, taskForms } from '../tasks/task-parts.js'
import { variantWithKey, withState } from '../tasks/task-state.js'
import { wholeTask } from '../tasks/task-template.js'
import { TASK_VALUES, type TaskScope } from '../tasks/task-values.js'
import { compileTemplate, isTrue, type Values } from '../template/compile.js'
import { forge, swaps } from './forgery.js'
import { webhookSigner } from './sign.js'
import { requestedEvents, stateOf } from './webhook-order.js'

const encoder = new TextEncoder()

interface WebhookScope extends TaskScope {
  readonly event: string
}

/** The values in the templates of webhooks. */
export const WEBHOOK_VALUES = {
  ...TASK_VALUES,
  event: ({ event }) => event,
} satisfies Values<WebhookScope>

const NO_WEBHOOK: DialectWebhook = { events: {} }
const DEFAULT_TIMEOUT = 15_000

type Format = Omit<WebhookFormat, 'secret' | 'previousSecret'>

/** The webhooks that a table describes; none if it has no section about them. The scenario may set some of it. */
export function tableWebhooks(table: DialectTable): Dialect['webhooks'] {
  const tableOf = webhookConfiguration(table)
  return (scenario) => ({ ...formatOf(tableOf(scenario)), ...signingSecrets(table, scenario) })
}

const formatOf = oncePer((table: DialectTable): Format => {
  const formats = new Map(allTables(table).map((each) => [each, formatWithoutSecrets(each)]))
  return formatOfAll(table, formats)
})

/** The webhooks about all objects: each task has those of its object. */
function formatOfAll(table: DialectTable, formats: ReadonlyMap<DialectTable, Format>): Format {
  const main = formats.get(table) ?? formatWithoutSecrets(table)
  if (formats.size <= 1) return main
  const all = [...formats.values()]
  const of = (task: OfTask) => formats.get(tableOfTask(table, task)) ?? main
  const words = new Map([...formats.keys()].flatMap((each) => [...swaps(each)]))
  return {
    ...main,
    nameOf: (event, task) =>
      task === undefined ? firstOf(all, (each) => each.nameOf(event)) : of(task).nameOf(event, task),
    nameAt: (name, state) => of(state.task).nameAt?.(name, state) ?? name,
    eventOf: (name) => firstOf(all, (each) => each.eventOf(name)),
    takesUrl: (task) => of(task).takesUrl(task),
    isRequested: (event, task) => of(task).isRequested?.(event, task) ?? true,
    body: (name, state) => of(state.task).body(name, state),
    headers: (name, state) => of(state.task).headers?.(name, state) ?? {},
    forge: (body) => forge(body, words),
  }
}

function firstOf<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Value | undefined,
): Value | undefined {
  for (const item of items) {
    const value = read(item)
    if (value !== undefined) return value
  }
  return undefined
}

function formatWithoutSecrets(table: DialectTable): Format {
  const { webhook = NO_WEBHOOK } = table
  const { events, retries = [], timeout = DEFAULT_TIMEOUT } = webhook
  const names = new Map(TASK_EVENTS.map((event) => [event, events[stateOf(event)]?.name]))
  const write = bodyWriter(table)
  const isSent = conditionOf(webhook)
  const nameOf: WebhookFormat['nameOf'] = (event, task) =>
    task === undefined || isSent === undefined || isSent(task) ? names.get(event) : undefined
  return {
    retriesOf: (event) => events[stateOf(event)]?.retries ?? retries,
    stopsOn4xx: webhook.stop_on === '4xx',
    timeout,
    honorsRetryAfter: webhook.honor_retry_after ?? false,
    exampleTaskId: taskIdsOf(table).draw(Chance.of('example').stream('id')),
    nameOf,
    nameAt: nameOfVariant(table),
    eventOf: (name) =>
      TASK_EVENTS.find((event) => event === spelled(name) || namesOf(table, event).includes(name)),
    follow: followOf(events),
    isRequested: requestedEvents(webhook),
    body: (name, state) => bytesOf(write(name, state)),
    headers: headersOf(table),
    forge: (body) => forge(body, swaps(table)),
    takesUrl: (task) =>
      webhook.url !== undefined && END_EVENTS.some((event) => nameOf(event, task) !== undefined),
    ownUrls: ownUrlsOf(webhook),
    replacesRegistered: webhook.replaces_registered,
    ...webhookSigner(webhook),
  }
}

/** A name of an event in the spelling of tasksim: the word `canceled` has two. */
function spelled(name: string): string {
  return name.replace('cancelled', 'canceled')
}

type OfTask = Pick<Task, 'extra'>

/** The receivers of a task whose request can name several. */
function ownUrlsOf({ urls }: DialectWebhook): WebhookFormat['ownUrls'] {
  if (urls === undefined) return undefined
  return ({ webhookUrl, extra }) => {
    const all = extra?.['webhookUrls']
    if (Array.isArray(all)) return all.map(String)
    return webhookUrl === undefined ? [] : [webhookUrl]
  }
}

/** The values in the condition of webhooks. */
export const CONDITION_VALUES = { kept: ({ extra }) => extra?.['kept'] } satisfies Values<OfTask>

function conditionOf({ if: condition }: DialectWebhook): ((task: OfTask) => boolean) | undefined {
  if (condition === undefined) return undefined
  const read = compileTemplate<OfTask>(condition, CONDITION_VALUES)
  return (task) => isTrue(read(task))
}

function nameOfVariant(table: DialectTable): WebhookFormat['nameAt'] {
  const hasNames = Object.values(table.statuses).some(({ variants }) => variants?.some(({ event }) => event))
  if (!hasNames) return undefined
  return (name, state) => variantWithKey(table.statuses, taskScope(table, state).form)?.event ?? name
}

/** All names of an event. */
function namesOf({ statuses, webhook }: DialectTable, event: TaskEvent): string[] {
  const state = stateOf(event)
  const { variants = [] } = (Object.hasOwn(statuses, state) && statuses[state as Status]) || {}
  return [webhook?.events[state]?.name, ...variants.map((variant) => variant.event)].flatMap(
    (name) => name ?? [],
  )
}

const DEFAULT_INTERVAL = 500

function followOf({ logs, output }: DialectWebhook['events']): Follow | undefined {
  if (logs === undefined && output === undefined) return undefined
  return {
    logs: logs && (logs.every ?? DEFAULT_INTERVAL),
    outputs: output && (output.every ?? DEFAULT_INTERVAL),
  }
}

type Write = (name: string, state: TaskAtEvent) => JsonValue | undefined

function bodyWriter(table: DialectTable): Write {
  const { body = '{{task}}', events = {} } = table.webhook ?? {}
  const read = compileTemplate<WebhookScope>(body, WEBHOOK_VALUES)
  const own = new Map(
    Object.values(events).flatMap((event) =>
      event?.body === undefined
        ? []
        : [[event.name, compileTemplate<WebhookScope>(event.body, WEBHOOK_VALUES)] as const],
    ),
  )
  return (event, state) => (own.get(event) ?? read)({ ...taskScope(table, state), event })
}

function headersOf(table: DialectTable): WebhookFormat['headers'] {
  const { headers } = table.webhook ?? {}
  if (headers === undefined) return undefined
  const read = compileTemplate<WebhookScope>(headers, WEBHOOK_VALUES)
  return (event, state) => textsIn(read({ ...taskScope(table, state), event }))
}

function taskScope(table: DialectTable, { at, task, ...state }: TaskAtEvent): TaskScope {
  const { base: given } = task.extra ?? {}
  const base = typeof given === 'string' ? given : task.origin
  return withState(table, {
    ...state,
    task,
    now: at,
    // A webhook does not know the setting of the scenario.
    expiresAt: () => undefined,
    isRemoved: () => task.result !== undefined && state.output === undefined,
    whole: (scope: TaskScope) => wholeTask(table)(scope),
    base: () => base,
    streamUrl: () => streamUrlOf(table, task, base),
    queuePosition: () => undefined,
    forms: () => taskForms(table),
  })
}

function textsIn(value: JsonValue | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, inner]) => [name, asText(inner)]))
}

function bytesOf(value: JsonValue | undefined): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value ?? {}))
}
