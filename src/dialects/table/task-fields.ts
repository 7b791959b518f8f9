import { isJsonObject, type JsonValue } from '../../engine/json.js'
import { oncePer } from '../../engine/recent.js'
import { fieldOf } from './answer-shape.js'
import type { DialectTable } from './dialect-table.generated.js'
import type { ObjectTable } from './tasks/objects.js'
import { taskTemplates } from './tasks/task-template.js'
import { needsOutput } from './tasks/task-values.js'
import { namesIn } from './template/compile.js'

/** The fields of a succeeded task by their roles. */
export interface TaskFields {
  /** Those with the output. */
  readonly outputs: readonly string[]
  /** Those with the output of the result, and of webhooks, where only another request than a poll shows it. */
  readonly results: readonly string[]
  /** Those that a task may lack. */
  readonly optional: readonly string[]
}

/** Finds the fields of the succeeded tasks of the object of a table, by what their templates read. */
export const taskFields = oncePer((table: ObjectTable): TaskFields => {
  const fields = taskTemplates(table)
    .filter(({ status }) => status === 'succeeded')
    .flatMap(({ template }) => (isJsonObject(template) ? Object.entries(template) : []))
  const own = Object.entries(table.statuses.succeeded.fields ?? {})
  const outputs = namesOf([
    ...fields.filter(([, value]) => showsOutput(value)),
    // The address of a file that another operation of the service returns.
    ...own.filter(([, value]) => namesIn(value).has('base')),
  ])
  const needed = new Set([
    ...outputs,
    fieldOf(table.task, 'id'),
    fieldOf(table.task, 'status'),
    'done',
    '...',
  ])
  const optional = namesOf(fields.filter(([name, value]) => !needed.has(name) && isOptional(value)))
  return { outputs, results: resultFields(table), optional }
})

/** Templates by the kind of the task, and the body of a webhook, which has the whole result in one field. */
function resultFields({ results = {}, webhook }: DialectTable): string[] {
  const templates = [...Object.values(results), webhook?.body ?? {}]
  const fields = templates.flatMap((template) => (isJsonObject(template) ? Object.entries(template) : []))
  return namesOf(fields.filter(([, value]) => showsOutput(value)))
}

function namesOf(fields: readonly [string, JsonValue][]): string[] {
  return [...new Set(fields.map(([name]) => name))]
}

/** The counts of an output are not an output. */
const USAGE = /output\.usage[\w.]*/g

function showsOutput(value: JsonValue): boolean {
  const text = JSON.stringify(value)
  return needsOutput(JSON.parse(text.replace(USAGE, 'id')) as JsonValue)
}

/** The values that services leave out, or that are null, in some answers. */
const OPTIONAL = [
  'cost',
  'logs',
  'log_lines',
  'progress',
  'started_at',
  'completed_at',
  'expires_at',
  'run_ms',
  'total_ms',
]

function isOptional(value: JsonValue): boolean {
  const names = namesIn(value)
  return OPTIONAL.some((name) => names.has(name))
}
