import type { Dialect } from '../../dialects/dialect.js'
import type {
  DialectOperation,
  DialectTable,
  StreamEvent,
} from '../../dialects/table/dialect-table.generated.js'
import { allTables, tableOf } from '../../dialects/table/tasks/objects.js'
import { allWords } from '../../dialects/table/tasks/task-state.js'
import { type FormTemplate, taskTemplates } from '../../dialects/table/tasks/task-template.js'
import { parseText } from '../../dialects/table/template/parse.js'
import {
  always,
  type DescribedValues,
  type JsonSchema,
  schemaOf,
  sometimes,
} from '../../dialects/table/template/template-schema.js'
import { taskValuesIn } from '../../dialects/table/value-schemas.js'
import { isTerminal, type Status } from '../../engine/tasks/task.js'

/** An event that a dialect can send in a stream. */
export interface ExpectedEvent {
  /** Matches the name of the event; undefined if it has none. */
  readonly name: RegExp | undefined
  readonly data: JsonSchema
  /** Events with a lower number come before those with a higher one. */
  readonly order: number
}

/** The body of a webhook that a dialect can send. */
export interface ExpectedWebhook {
  readonly body: JsonSchema
  readonly status: Status
}

const ORDER: readonly string[] = ['created', 'queued', 'started', 'processing', 'output']

/** The events in the streams of an operation. */
export function expectedEvents(dialect: Dialect, operation: DialectOperation): readonly ExpectedEvent[] {
  if (!('events' in operation) || typeof operation.events !== 'object') return []
  const table = tableOf(dialect.table, operation.object)
  return Object.entries(operation.events).flatMap(([topic, given]) => {
    const known = ORDER.indexOf(topic)
    // A stream has the events of one end.
    const order = known === -1 ? ORDER.length : known
    return ([given ?? []].flat() as readonly StreamEvent[]).flatMap(({ event, data }) =>
      formsAt(table, topic, data).map((form) => ({
        name: event === undefined ? undefined : patternOf(table, event),
        data: schemaOf(form.template, { ...taskValuesIn(table, form, true), ...EVENT_VALUES }),
        order,
      })),
    )
  })
}

const EVENT_VALUES: DescribedValues = {
  part: sometimes({}),
  index: always({ type: 'integer' }),
  sequence: always({ type: 'integer' }),
}

/** The template of an answer in the states that a task can have at an event. */
function formsAt(table: DialectTable, topic: string, template: StreamEvent['data']): readonly FormTemplate[] {
  const states = STATES[topic] ?? [topic]
  return taskTemplates(table, template).filter(({ status }) => states.includes(status))
}

/** The states in which events are sent that are not named after a state. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  created: ['queued', 'processing'],
  started: ['processing'],
  output: ['processing'],
  logs: ['processing'],
}

function patternOf(table: DialectTable, name: string): RegExp {
  const words = allWords(table.statuses).map(literal).join('|')
  const parts = parseText(name).map((part) => (typeof part === 'string' ? literal(part) : `(?:${words})`))
  return new RegExp(`^${parts.join('')}$`)
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The webhooks of a dialect. */
export function expectedWebhooks(dialect: Dialect): readonly ExpectedWebhook[] {
  return allTables(dialect.table).flatMap((table) => {
    const { events = {}, body = '{{task}}' } = table.webhook ?? {}
    return Object.entries(events).flatMap(([topic, event]) =>
      event === undefined
        ? []
        : formsAt(table, topic, event.body ?? body).map((form) => {
            const { variants = [] } = table.statuses[form.status]
            const own = form.variant === undefined ? undefined : variants[form.variant]?.event
            const name = always({ type: 'string', enum: [own ?? event.name], title: 'event' })
            const values = { ...taskValuesIn(table, form, !isTerminal(form.status)), event: name }
            return { body: schemaOf(form.template, values), status: form.status }
          }),
    )
  })
}
