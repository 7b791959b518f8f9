import type { DialectTable, ListOperation } from '../../dialects/table/dialect-table.generated.js'
import type { ObjectTable } from '../../dialects/table/tasks/objects.js'
import { taskIdsOf } from '../../dialects/table/tasks/task-ids.js'
import { allWords } from '../../dialects/table/tasks/task-state.js'
import { refTo } from '../json-schema.js'
import type { OpenApiSchema } from '../openapi.js'
import { always, type DescribedValues, sometimes } from './template-schema.js'

const TEXT: OpenApiSchema = { type: 'string' }
const URL_TEXT: OpenApiSchema = { type: 'string', format: 'uri' }
const INSTANT: OpenApiSchema = { type: 'string', format: 'date-time' }
const COUNT: OpenApiSchema = { type: 'integer', minimum: 0 }
const OBJECT: OpenApiSchema = { type: 'object' }

/** The values in the template of a task. */
export function taskValues(table: DialectTable): DescribedValues {
  return {
    id: always({ type: 'string', pattern: taskIdsOf(table).pattern.source }),
    model: always(TEXT),
    kind: always(TEXT),
    input: always(OBJECT),
    status: always({ type: 'string', enum: allWords(table.statuses) }),
    progress: always({ type: 'number', minimum: 0, maximum: 1 }),
    created_at: always(INSTANT),
    started_at: sometimes(INSTANT),
    completed_at: sometimes(INSTANT),
    expires_at: sometimes(INSTANT),
    is_expired: always({ type: 'boolean' }),
    now: always(INSTANT),
    queue_ms: always(COUNT),
    run_ms: sometimes(COUNT),
    total_ms: always(COUNT),
    age_ms: always(COUNT),
    queue_position: sometimes(COUNT),
    logs: always(TEXT),
    log_lines: sometimes({ type: ['array', 'null'] }),
    is_removed: always({ type: 'boolean' }),
    output: sometimes(OBJECT),
    result: sometimes({}),
    file_list: sometimes({ type: 'array' }),
    files: sometimes({ type: 'array', items: URL_TEXT }),
    image: sometimes(URL_TEXT),
    video: sometimes(URL_TEXT),
    audio: sometimes(URL_TEXT),
    text: sometimes(TEXT),
    error: sometimes({ type: 'object', properties: { code: TEXT, message: TEXT } }),
    cost: sometimes({ type: 'number', minimum: 0 }),
    estimated_cost: always({ type: 'number', minimum: 0 }),
    seconds: sometimes({ type: 'number', minimum: 0 }),
    webhook_url: sometimes(URL_TEXT),
    base: always(URL_TEXT),
  }
}

/** The values in the template of a list whose tasks are a component. */
export function pageValues(component: string): DescribedValues {
  return {
    tasks: always({ type: 'array', items: refTo(component) }),
    count: always(COUNT),
    limit: always(COUNT),
    offset: always(COUNT),
    has_more: always({ type: 'boolean' }),
    next_cursor: sometimes(TEXT),
    first_id: sometimes(TEXT),
    last_id: sometimes(TEXT),
    url: always(URL_TEXT),
    next_url: sometimes(URL_TEXT),
    newer_url: sometimes(URL_TEXT),
    base: always(URL_TEXT),
  }
}

/** The values in the template of a rejection. */
export const ERROR_SCHEMAS: DescribedValues = {
  status: always({ type: 'integer' }),
  code: always(TEXT),
  own_code: sometimes(TEXT),
  given: sometimes({}),
  message: always(TEXT),
  param: sometimes(TEXT),
  type: sometimes(TEXT),
  details: sometimes({}),
  request_id: always(TEXT),
}

/** The values in the template of a receiver. */
export const RECEIVER_SCHEMAS: DescribedValues = {
  id: always(TEXT),
  name: sometimes(TEXT),
  url: always(URL_TEXT),
  events: sometimes({ type: 'array', items: TEXT }),
  state: always({ type: 'string', enum: ['on', 'off', 'failing'] }),
  secret: always(TEXT),
  secret_end: always(TEXT),
  previous_secret_end: sometimes(TEXT),
  previous_secret_until: sometimes(INSTANT),
  created_at: always(INSTANT),
  updated_at: always(INSTANT),
  now: always(INSTANT),
  base: always(URL_TEXT),
}

/** The name of the component that describes the tasks of a table. */
export function taskComponent({ object }: ObjectTable): string {
  return object === undefined ? 'Task' : object.charAt(0).toUpperCase() + object.slice(1)
}

/** The name of the component that describes the tasks in a list. */
export function listedComponent(table: DialectTable, { item }: Pick<ListOperation, 'item'>): string {
  return item === undefined ? taskComponent(table) : `Listed${taskComponent(table)}`
}

/** The values in answers about one task. */
export function answerValues(table: DialectTable): DescribedValues {
  return { ...taskValues(table), task: always(refTo(taskComponent(table))) }
}

/** The values in the template of a webhook. */
export function webhookValues(table: DialectTable): DescribedValues {
  return { ...answerValues(table), event: always(TEXT) }
}
