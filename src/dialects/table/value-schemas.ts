import { isTerminal } from '../../engine/tasks/task.js'
import type { DialectTable } from './dialect-table.generated.js'
import type { ObjectTable } from './tasks/objects.js'
import { taskIdsOf } from './tasks/task-ids.js'
import { allWords, type TaskForm, variantWithKey, wordsOf } from './tasks/task-state.js'
import {
  always,
  type DescribedValues,
  type JsonSchema,
  NEVER,
  sometimes,
} from './template/template-schema.js'

const TEXT: JsonSchema = { type: 'string' }
const URL_TEXT: JsonSchema = { type: 'string', format: 'uri' }
const INSTANT: JsonSchema = { type: 'string', format: 'date-time' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const OBJECT: JsonSchema = { type: 'object' }

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
    pieces: sometimes({ type: 'array', items: TEXT }),
    sentences: sometimes({ type: 'array' }),
    paragraphs: sometimes({ type: 'array' }),
    utterances: sometimes({ type: 'array' }),
    matches: sometimes({ type: 'array' }),
    match_count: sometimes(COUNT),
    stream_url: sometimes(URL_TEXT),
    error: sometimes({
      type: 'object',
      properties: { code: TEXT, message: TEXT },
      required: ['code', 'message'],
    }),
    cost: sometimes({ type: 'number', minimum: 0 }),
    estimated_cost: always({ type: 'number', minimum: 0 }),
    seconds: sometimes({ type: 'number', minimum: 0 }),
    webhook_url: sometimes(URL_TEXT),
    base: always(URL_TEXT),
  }
}

const OF_OUTPUT = ['output', 'result', 'files', 'file_list'] as const
/** The values that only some kinds of outputs have. */
const OF_SOME_OUTPUTS = [
  ...(['image', 'video', 'audio', 'text', 'pieces', 'sentences', 'paragraphs'] as const),
  ...(['matches', 'match_count'] as const),
]

/**
 * The values in the template of a task in one of its forms: those that it has in this state are always there, and those
 * that it does not have yet are never.
 * @param mayHaveParts whether a part of the output may be there before its end, as in a stream
 */
export function taskValuesIn(
  table: ObjectTable,
  { key, status, variant }: TaskForm,
  mayHaveParts = table.outputs?.before_end !== undefined && status !== 'queued',
): DescribedValues {
  const all: DescribedValues = taskValues(table)
  const { statuses } = table
  const is = (values: readonly string[], wanted: 'always' | 'sometimes' | 'never') =>
    Object.fromEntries(
      values.map((name) => {
        const { schema } = all[name] ?? NEVER
        return [name, wanted === 'never' ? NEVER : wanted === 'always' ? always(schema) : sometimes(schema)]
      }),
    )
  const hasNoOutput = mayHaveParts ? 'sometimes' : 'never'
  const words = variant === undefined ? wordsOf(statuses, status) : [variantWithKey(statuses, key)?.word]
  const orders = table.operations.flatMap((each) => (each.action === 'create' ? [each] : []))
  const kinds = new Set(orders.filter(({ object }) => object === table.object).map(({ kind }) => kind))
  const [kind] = kinds
  // All tasks of some services are videos.
  const media: readonly string[] =
    kinds.size === 1 && kind !== undefined && status === 'succeeded' ? [kind] : []
  const isStarted = status === 'processing' || status === 'succeeded'
  return {
    ...all,
    status: always({ type: 'string', enum: [...new Set(words)], title: 'state' }),
    ...is(['queue_position'], status === 'queued' ? 'sometimes' : 'never'),
    ...is(['started_at', 'run_ms'], status === 'queued' ? 'never' : isStarted ? 'always' : 'sometimes'),
    ...is(['completed_at'], isTerminal(status) ? 'always' : 'never'),
    ...is(['expires_at'], isTerminal(status) ? 'sometimes' : 'never'),
    ...is(['error'], status === 'failed' ? 'always' : status === 'canceled' ? 'sometimes' : 'never'),
    ...is(OF_OUTPUT, status === 'succeeded' ? 'always' : hasNoOutput),
    ...is(OF_SOME_OUTPUTS, status === 'succeeded' ? 'sometimes' : hasNoOutput),
    ...is(
      OF_SOME_OUTPUTS.filter((name) => media.includes(name)),
      'always',
    ),
    ...is(['cost'], status === 'succeeded' ? 'always' : 'sometimes'),
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

/** The values in the template of an upload. */
export const UPLOAD_SCHEMAS: DescribedValues = {
  id: always(TEXT),
  name: always(TEXT),
  content_type: always(TEXT),
  size: always(COUNT),
  sha256: sometimes(TEXT),
  url: always(URL_TEXT),
  created_at: always(INSTANT),
  expires_at: sometimes(INSTANT),
  state: always({ type: 'string', enum: ['processing', 'ready'] }),
  output_url: sometimes(URL_TEXT),
  base: always(URL_TEXT),
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

/** The values in the template of a list. @param item the schema of a task in it */
export function pageValues(item: JsonSchema): DescribedValues {
  return {
    tasks: always({ type: 'array', items: item }),
    count: always(COUNT),
    limit: always(COUNT),
    offset: always(COUNT),
    page: always(COUNT),
    total: always(COUNT),
    pages: always(COUNT),
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
