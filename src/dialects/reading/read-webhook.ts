import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { oncePer } from '../../engine/recent.js'
import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type { Dialect } from '../dialect.js'
import type { DialectTable, StreamEvent } from '../table/dialect-table.generated.js'
import { allTables } from '../table/tasks/objects.js'
import { SPREAD } from '../table/template/compile.js'
import type { Template } from '../table/template/template.js'
import { type Found, readBack } from './read-back.js'
import { errorIn, readTask } from './read-task.js'
import { type SeenTask, SeenValues } from './seen-values.js'

/** Reads what a webhook says about a task; undefined if it is about something else. */
export function readWebhook(dialect: Dialect, body: JsonObject): SeenTask | undefined {
  const all = allTables(dialect.table).flatMap((table) => readBody(dialect, table, body) ?? [])
  const seen = all.filter(({ id }) => id !== undefined)
  return (
    seen.find(({ status }) => status !== undefined) ??
    seen.find(({ unknownWord }) => unknownWord !== undefined)
  )
}

function readBody(dialect: Dialect, table: DialectTable, body: JsonObject): SeenTask | undefined {
  const { webhook } = table
  if (webhook === undefined) return undefined
  if (webhook.body === undefined) return readTask(dialect, body)
  const values = new SeenValues()
  const tasks: JsonObject[] = []
  const read: Found = (placeholder, value) => {
    values.add(placeholder, value)
    const isTask = placeholder.some((operand) => 'name' in operand.value && operand.value.name === 'task')
    if (isTask && isJsonObject(value)) tasks.push(value)
  }
  readBack(webhook.body, body, read)
  const [task] = tasks
  if (task !== undefined) return readTask(dialect, task)
  const word = values.text('status')
  const announced = statesOf(table, values.text('event'))
  // An event of several states says less than the word.
  const known = wordStatus(dialect, word)
  const status =
    announced.length === 1 ? announced[0] : (known ?? (word === undefined ? announced[0] : undefined))
  if (status === 'failed') readBack(webhook.events.failed?.body ?? null, body, values.add)
  return {
    id: values.text('id'),
    status,
    unknownWord: status === undefined ? word : undefined,
    error: status === 'failed' ? errorIn(values, table, body) : undefined,
    output: status === 'succeeded' ? values.output : undefined,
  }
}

/** The states that an event announces. */
function statesOf({ webhook, statuses }: DialectTable, event: string | undefined): readonly Status[] {
  if (event === undefined) return []
  return STATUSES.filter(
    (status) =>
      (status !== 'queued' && status !== 'processing' && webhook?.events[status]?.name === event) ||
      statuses[status].variants?.some((variant) => variant.event === event),
  )
}

function wordStatus({ answers }: Dialect, word: string | undefined): Status | undefined {
  return word !== undefined && Object.hasOwn(answers.words, word) ? answers.words[word] : undefined
}

const TASK = '{{task}}'

/** Reads the task in the data of a server-sent event; undefined if it shows no state of a task. */
export function readEvent(dialect: Dialect, data: JsonObject): SeenTask | undefined {
  for (const field of fieldsOf(dialect)) {
    const task: JsonValue | undefined = field === undefined ? data : data[field]
    const seen = isJsonObject(task) ? readTask(dialect, task) : undefined
    if (seen?.id !== undefined && (seen.status ?? seen.unknownWord) !== undefined) return seen
  }
  return undefined
}

/** The fields of events that hold the task; undefined stands for the data themselves. */
const fieldsOf = oncePer((dialect: Dialect) => new Set(eventsOf(dialect).flatMap(taskFields)))

/** The templates of the data of all events. */
function eventsOf({ table }: Dialect): Template[] {
  return table.operations.flatMap((operation) => {
    const { action } = operation
    const events =
      action === 'create' || action === 'retrieve' || action === 'stream' ? (operation.events ?? {}) : {}
    return Object.values(events)
      .flatMap((each: StreamEvent | readonly StreamEvent[] = []) => each)
      .map(({ data }) => data)
  })
}

function taskFields(data: Template): (string | undefined)[] {
  if (isWhole(data)) return [undefined]
  return isJsonObject(data) ? Object.keys(data).filter((field) => isWhole(data[field])) : []
}

/** Whether a template is the task, or has all its fields. */
function isWhole(template: Template | undefined): boolean {
  return template === TASK || (isJsonObject(template) && template[SPREAD] === TASK)
}
