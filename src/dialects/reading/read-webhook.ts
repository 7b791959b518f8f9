import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type { Dialect } from '../dialect.js'
import type { DialectTable } from '../table/dialect-table.generated.js'
import { allTables } from '../table/tasks/objects.js'
import { type Found, readBack } from './read-back.js'
import { errorIn, readTask } from './read-task.js'
import type { SeenTask } from './seen-task.js'
import { SeenValues } from './seen-values.js'

/** Reads what a webhook says about a task; undefined if it is about something else. */
export function readWebhook(dialect: Dialect, body: JsonObject): SeenTask | undefined {
  const all = allTables(dialect.table).flatMap((table) => readEvent(dialect, table, body) ?? [])
  const seen = all.filter(({ id }) => id !== undefined)
  return (
    seen.find(({ status }) => status !== undefined) ??
    seen.find(({ unknownWord }) => unknownWord !== undefined)
  )
}

function readEvent(dialect: Dialect, table: DialectTable, body: JsonObject): SeenTask | undefined {
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
  const status = statusOf(table, values.text('event')) ?? wordStatus(dialect, word)
  if (status === 'failed') readBack(webhook.events.failed?.body ?? null, body, values.add)
  return {
    id: values.text('id'),
    status,
    unknownWord: status === undefined ? word : undefined,
    error: status === 'failed' ? errorIn(values, table, body) : undefined,
    output: status === 'succeeded' ? values.output : undefined,
  }
}

/** The state that an event announces. */
function statusOf({ webhook, statuses }: DialectTable, event: string | undefined): Status | undefined {
  if (event === undefined) return undefined
  return STATUSES.find(
    (status) =>
      (status !== 'queued' && status !== 'processing' && webhook?.events[status]?.name === event) ||
      statuses[status].variants?.some((variant) => variant.event === event),
  )
}

function wordStatus({ answers }: Dialect, word: string | undefined): Status | undefined {
  return word !== undefined && Object.hasOwn(answers.words, word) ? answers.words[word] : undefined
}
