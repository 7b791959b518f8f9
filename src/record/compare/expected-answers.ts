import type { Dialect } from '../../dialects/dialect.js'
import { errorAnswers } from '../../dialects/table/answers/error-answers.js'
import { errorBodies, typeOf } from '../../dialects/table/answers/table-error.js'
import type {
  DialectOperation,
  DialectTable,
  ListOperation,
  StateAnswer,
} from '../../dialects/table/dialect-table.generated.js'
import { tableOf } from '../../dialects/table/tasks/objects.js'
import { taskTemplates } from '../../dialects/table/tasks/task-template.js'
import type { Template } from '../../dialects/table/template/template.js'
import {
  always,
  anyOf,
  type DescribedValues,
  type JsonSchema,
  schemaOf,
  sometimes,
} from '../../dialects/table/template/template-schema.js'
import {
  ERROR_SCHEMAS,
  pageValues,
  RECEIVER_SCHEMAS,
  taskValues,
  taskValuesIn,
  UPLOAD_SCHEMAS,
} from '../../dialects/table/value-schemas.js'
import { isJsonObject } from '../../engine/json.js'
import type { FieldPath } from '../../engine/tasks/answered-task.js'

/** An answer that a dialect can give to a request. */
export interface ExpectedAnswer {
  /** Undefined for any status from 400 up. */
  readonly status: number | undefined
  /** Without parameters; `FILE_TYPE` for a file, and undefined if there is no body. */
  readonly contentType: string | undefined
  /** Undefined if the body is not JSON. */
  readonly body: JsonSchema | undefined
  /** The names of the headers that it always has, in lower case. */
  readonly headers: readonly string[]
  /** The state of the task, if the answer depends on it. */
  readonly state?: string | undefined
}

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

/** The type of a file, which is any but JSON. */
export const FILE_TYPE = '*/*'

/**
 * The successful answers of an operation in all states of a task, and those of states with an answer of their own. None if
 * the operation answers with nothing but a file.
 */
export function expectedAnswers(dialect: Dialect, operation: DialectOperation): readonly ExpectedAnswer[] {
  const table = tableOf(dialect.table, operation.object)
  const hasEvents = 'events' in operation && typeof operation.events === 'object'
  const headers = namesOfAlways(table.headers, taskValues(table))
  const stream = { status: 200, contentType: STREAM_TYPE, body: undefined, headers }
  const streams = hasEvents ? [stream] : []
  const gives = 'gives' in operation && operation.gives !== undefined
  const files = gives ? [{ ...stream, contentType: FILE_TYPE, state: 'succeeded' }] : []
  const isStream = operation.action === 'stream' || (hasEvents && !('stream_if' in operation))
  const answers = answersOf(table, operation).map((each) => withStateWord(each, dialect))
  return isStream ? streams : [...streams, ...files, ...answers]
}

/** The state can also be a constant, such as that of a new task. */
function withStateWord(answer: ExpectedAnswer, { answers: { status, words } }: Dialect): ExpectedAnswer {
  const isKnown = (word: string) => Object.hasOwn(words, word)
  return answer.body === undefined ? answer : { ...answer, body: withWord(answer.body, [status], isKnown) }
}

/** A schema in which the constant at a path is a word of a state. */
function withWord(
  schema: JsonSchema,
  [field = '', ...rest]: FieldPath,
  isWord: (constant: string) => boolean,
): JsonSchema {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, JsonSchema>> }
  const inner = properties[field]
  if (inner === undefined) return schema
  const word = inner['const']
  if (rest.length > 0)
    return { ...schema, properties: { ...properties, [field]: withWord(inner, rest, isWord) } }
  if (typeof word !== 'string' || !isWord(word)) return schema
  return {
    ...schema,
    properties: { ...properties, [field]: { type: 'string', enum: [word], title: 'state' } },
  }
}

/**
 * The rejections of a dialect that have a status. Below 400, these are only those of codes with that status.
 * @param namesTask whether the request names a task, which may be unknown
 */
export function expectedRejections(
  { table: { error }, answers }: Dialect,
  status: number,
  namesTask: boolean,
): readonly ExpectedAnswer[] {
  const { content_type: type = JSON_TYPE } = error
  const named = typeOf(error, status)
  const bodies = bodiesWith(error, status, namesTask)
  const values: DescribedValues = {
    ...ERROR_SCHEMAS,
    ...(named !== undefined && { type: always(typeof named === 'string' ? { type: 'string' } : {}) }),
  }
  const headers = namesOfAlways(error.headers, values)
  const path = [answers.task, answers.status].filter((field) => field !== undefined)
  // Without an error status, the word of a state tells a rejection from a task.
  const withRejectedWord = (body: JsonSchema) => (status < 400 ? withWord(body, path, () => true) : body)
  return bodies.map((each) => ({
    ...{ status, headers, state: undefined },
    contentType: mediaType(type),
    body: withRejectedWord(schemaOf(each, values)),
  }))
}

function bodiesWith(error: DialectTable['error'], status: number, namesTask: boolean): readonly Template[] {
  const { by_status: byStatus = {}, by_code: byCode = {}, body } = error
  const isError = status >= 400
  const codes = Object.entries(byCode).filter(
    ([code, { status: own = isError ? status : 0 }]) =>
      own === status && (namesTask || code !== 'task_not_found'),
  )
  const [usual, ...ofCodes] = errorBodies({
    body: byStatus[status] ?? body,
    by_code: Object.fromEntries(codes),
  })
  return isError && usual !== undefined ? [usual, ...ofCodes] : ofCodes
}

/** A media type without its parameters. */
export function mediaType(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase()
}

function answersOf(table: DialectTable, operation: DialectOperation): readonly ExpectedAnswer[] {
  switch (operation.action) {
    case 'create': {
      // The states of a create operation that can be held are those of held answers.
      const atOnce =
        operation.wait === undefined || operation.states === undefined ? [] : [{ ...operation, states: {} }]
      return [...atOnce, operation].flatMap((each) => aboutTask(table, each))
    }
    case 'retrieve':
    case 'cancel':
      return aboutTask(table, operation)
    case 'result':
      return aboutTask(table, operation, operation.text && (operation.content_type ?? 'text/plain'))
    case 'delete':
      return operation.answer === undefined && (operation.status ?? 204) === 204
        ? [plain(204)]
        : aboutTask(table, { ...operation, status: operation.status ?? 204 })
    case 'parts':
      return aboutTask(table, operation, undefined, { parts: always({ type: 'array' }) })
    case 'list':
      return [plain(operation.status, schemaOf(operation.answer, pageValues(listedTask(table, operation))))]
    case 'fixed': {
      const { answer, by, status } = operation
      const all = by !== undefined && isJsonObject(answer) ? Object.values(answer) : [answer]
      return all.map((each) => plain(status, schemaOf(each, FIXED)))
    }
    case 'count':
    case 'cancel_queued':
      return [plain(operation.status, schemaOf(operation.answer, COUNTS))]
    case 'upload':
    case 'retrieve_upload':
    case 'delete_upload':
      return uploaded(table, operation)
    case 'list_uploads':
      return [plain(operation.status, schemaOf(operation.answer ?? '{{uploads}}', itemsOf(table)))]
    case 'list_receivers':
      return [plain(operation.status, schemaOf(operation.answer, itemsOf(table)))]
    case 'file':
    case 'stream':
      return []
    default: {
      const usual = operation.action === 'delete_receiver' ? 204 : 200
      const { status = usual, answer = table.receiver ?? { id: '{{id}}', url: '{{url}}' } } = operation
      return [plain(status, schemaOf(answer, RECEIVER_SCHEMAS))]
    }
  }
}

const COUNT = always({ type: 'integer' })
const COUNTS: DescribedValues = Object.fromEntries(
  ['queued', 'processing', 'succeeded', 'failed', 'canceled', 'count'].map((name) => [name, COUNT]),
)
const TEXT = always({ type: 'string' })
const FIXED: DescribedValues = {
  base: TEXT,
  secret: TEXT,
  public_key: TEXT,
  jwks: always({ type: 'array' }),
}

function plain(status = 200, body?: JsonSchema): ExpectedAnswer {
  const isEmpty = status === 204 || body === undefined
  return {
    status,
    contentType: isEmpty ? undefined : JSON_TYPE,
    body: isEmpty ? undefined : body,
    headers: [],
  }
}

/** What the answers about a task have in common. */
interface Answered {
  readonly status?: number | undefined
  readonly answer?: Template | undefined
  readonly states?: Readonly<Partial<Record<string, StateAnswer>>> | undefined
}

/** @param textType the content type of an answer that is not JSON, except in states with an answer of their own */
function aboutTask(
  table: DialectTable,
  { status = 200, answer, states = {} }: Answered,
  textType?: string,
  more: DescribedValues = {},
): readonly ExpectedAnswer[] {
  const removed = table.removed === undefined ? [] : [table.removed]
  return [{}, ...removed].flatMap((gone) =>
    taskTemplates(table, '{{task}}', gone).flatMap((form) => {
      const own = states[form.status]
      const values = { ...taskValuesIn(table, form), ...more }
      const isText = textType !== undefined && own === undefined
      return errorAnswers(own ?? {}).map(([, each]) => {
        const template = taskTemplates(table, each.answer ?? answer, gone).find(({ key }) => key === form.key)
        const ownStatus = each.status ?? status
        return {
          status: ownStatus,
          headers: [...namesOfAlways(table.headers, values), ...namesOfAlways(each.headers, values)],
          state: form.status,
          contentType: ownStatus === 204 ? undefined : mediaType(isText ? textType : JSON_TYPE),
          body: ownStatus === 204 || isText ? undefined : schemaOf(template?.template ?? null, values),
        }
      })
    }),
  )
}

/** The schema of a task in a list, in each of its forms. */
function listedTask(table: DialectTable, { item }: Pick<ListOperation, 'item'>): JsonSchema {
  const removed = table.removed === undefined ? [] : [table.removed]
  const forms = [{}, ...removed].flatMap((gone) => taskTemplates(table, item, gone))
  return anyOf(forms.map((form) => schemaOf(form.template, taskValuesIn(table, form))))
}

function uploaded(
  table: DialectTable,
  operation: Extract<DialectOperation, { action: 'upload' | 'retrieve_upload' | 'delete_upload' }>,
): readonly ExpectedAnswer[] {
  const { status = operation.action === 'delete_upload' ? 204 : 200, answer = table.upload } = operation
  // A resumable upload answers its first request with no body.
  const schema = answer === undefined ? {} : schemaOf(answer, UPLOAD_SCHEMAS)
  const isResumable = operation.action === 'upload' && operation.from === 'resumable'
  return [plain(status, schema), ...(isResumable ? [plain(200)] : [])]
}

/** The values in the template of a list of uploads or receivers. */
function itemsOf({ upload = {}, receiver = {} }: DialectTable): DescribedValues {
  return {
    uploads: always({ type: 'array', items: schemaOf(upload, UPLOAD_SCHEMAS) }),
    receivers: always({ type: 'array', items: schemaOf(receiver, RECEIVER_SCHEMAS) }),
    count: COUNT,
    has_more: always({ type: 'boolean' }),
    next_cursor: sometimes({ type: 'string' }),
    base: TEXT,
  }
}

/** The names of the headers whose templates always have a value. */
function namesOfAlways(
  headers: Readonly<Record<string, string>> | undefined,
  values: DescribedValues,
): readonly string[] {
  const { required = [] } = schemaOf(headers ?? {}, values) as { readonly required?: readonly string[] }
  return required.map((name) => name.toLowerCase())
}
