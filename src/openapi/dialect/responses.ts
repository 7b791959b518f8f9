import { errorAnswers } from '../../dialects/table/answers/error-answers.js'
import type { DialectOperation, DialectTable } from '../../dialects/table/dialect-table.generated.js'
import type { ReceiverOperation } from '../../dialects/table/operation-names.js'
import { anyOf, schemaOf } from '../../dialects/table/template/template-schema.js'
import { pageValues, RECEIVER_SCHEMAS } from '../../dialects/table/value-schemas.js'
import { codeOf } from '../../exchange/problem.js'
import { refTo } from '../json-schema.js'
import type { OpenApiResponse, OpenApiSchema } from '../openapi.js'
import { answerValues, listedComponent, taskComponent } from './components.js'

type Responses = Readonly<Record<string, OpenApiResponse>>

/** The successful answers and the rejections of an operation. */
export function responsesOf(table: DialectTable, operation: DialectOperation): Responses {
  return merged(errorsOf(table, operation), merged(successOf(table, operation), statesOf(table, operation)))
}

/** The answers that differ by the state of the task. */
function statesOf(table: DialectTable, operation: DialectOperation): Responses {
  if (!('states' in operation) || operation.states === undefined) return {}
  // The answers in place of a file have no others that they differ from.
  const { status = 200, answer = '{{task}}' } = operation.action === 'file' ? {} : operation
  return Object.values(operation.states)
    .filter((own) => own !== undefined)
    .flatMap((own) =>
      errorAnswers(own).map(
        ([, each]): Responses => ({
          [each.status ?? status]: json(schemaOf(each.answer ?? answer, answerValues(table))),
        }),
      ),
    )
    .reduce(merged, {})
}

/** All responses; one with the same status and type as another fits either schema. */
function merged(some: Responses, others: Responses): Responses {
  const both = Object.keys(some).filter((status) => Object.hasOwn(others, status))
  return {
    ...some,
    ...others,
    ...Object.fromEntries(both.map((status) => [status, oneOf(some[status], others[status])])),
  }
}

function oneOf(one: OpenApiResponse | undefined, other: OpenApiResponse | undefined): OpenApiResponse {
  const content = { ...one?.content }
  for (const [type, { schema }] of Object.entries(other?.content ?? {})) {
    const known = content[type]?.schema
    content[type] = {
      schema: anyOf([known ?? {}, schema ?? {}].filter((each) => Object.keys(each).length > 0)),
    }
  }
  return { description: other?.description ?? one?.description ?? '', content }
}

function successOf(table: DialectTable, operation: DialectOperation): Responses {
  switch (operation.action) {
    case 'result':
      return operation.text === undefined
        ? answered(table, operation, 200)
        : { 200: content(mediaType(operation.content_type ?? 'text/plain'), { type: 'string' }) }
    case 'delete':
      return answered(table, operation, 204)
    case 'list': {
      const values = pageValues(refTo(listedComponent(table, operation)))
      return { [operation.status ?? 200]: json(schemaOf(operation.answer, values)) }
    }
    case 'file':
      return { 200: content('*/*', {}), 206: content('*/*', {}), 304: { description: 'Not modified' } }
    case 'create':
    case 'retrieve':
      return operation.gives === 'file'
        ? merged(streamed(table, operation), { 200: content('*/*', {}) })
        : streamed(table, operation)
    case 'cancel':
      return answered(table, operation, 200)
    case 'fixed':
      return operation.by === undefined ? answered(table, operation, 200) : described(operation.status ?? 200)
    case 'stream':
      return STREAM
    case 'create_receiver':
    case 'retrieve_receiver':
    case 'update_receiver':
    case 'delete_receiver':
    case 'ping_receiver':
    case 'rotate_secret':
      return aboutReceiver(table, operation)
    case 'delete_upload':
      return described(operation.status ?? 204)
    default:
      return described(operation.status ?? 200)
  }
}

type Streamable = Extract<DialectOperation, { action: 'create' | 'retrieve' }>

function streamed(table: DialectTable, operation: Streamable): Responses {
  const { events, stream_if: streamIf } = operation
  if (events === undefined) return answered(table, operation, 200)
  return streamIf === undefined ? STREAM : merged(answered(table, operation, 200), STREAM)
}

const STREAM: Responses = { 200: content('text/event-stream', { type: 'string' }) }

function aboutReceiver(
  { receiver = {} }: DialectTable,
  { action, status, answer }: ReceiverOperation,
): Responses {
  const usual = action === 'delete_receiver' ? 204 : 200
  if ((status ?? usual) === 204) return described(204)
  return { [status ?? usual]: json(schemaOf(answer ?? receiver, RECEIVER_SCHEMAS)) }
}

/** An answer of any form. */
function described(status: number): Responses {
  return { [status]: status === 204 ? { description: 'No content' } : json({}) }
}

function answered(table: DialectTable, operation: DialectOperation, usual: number): Responses {
  const { status = usual, answer } = operation as { status?: number; answer?: DialectTable['task'] }
  if (status === 204) return { 204: { description: 'No content' } }
  return {
    [status]: json(
      answer === undefined ? refTo(taskComponent(table)) : schemaOf(answer, answerValues(table)),
    ),
  }
}

const TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The API key is missing or not accepted',
  402: 'The credits are used up',
  404: 'The API key can see no such object',
  409: 'The task has already ended',
  429: 'Too many requests',
}

/** The actions whose requests may be rejected with 400. */
const NOT_ALWAYS_VALID: readonly string[] = ['create', 'list', 'result', 'create_receiver', 'update_receiver']

/** The rejections of an operation. A scenario can make any request fail, so there is a default. */
function errorsOf({ error }: DialectTable, operation: DialectOperation): Responses {
  const { action, path } = operation
  const rejected = ('reject' in operation && operation.reject) || []
  const canResume = 'resume_after' in operation && operation.resume_after !== undefined
  const namesTask =
    /\{(?:task|receiver)_id\}/.test(path) ||
    ('task' in operation && operation.task !== undefined) ||
    ('source' in operation && operation.source !== undefined)
  const statuses = [
    ...(canResume || NOT_ALWAYS_VALID.includes(action) ? [400] : []),
    401,
    ...(action === 'create' ? [402] : []),
    ...(namesTask || 'by' in operation ? [404] : []),
    ...(action === 'cancel' ? [409] : []),
    429,
    ...rejected.map(({ status = 400 }) => status),
  ]
  const statusOf = (status: number) =>
    error.by_code?.[status === 404 ? 'task_not_found' : codeOf(status)]?.status ?? status
  const ownStatuses = (...codes: readonly string[]) =>
    codes.flatMap((code) => error.by_code?.[code]?.status ?? [])
  const hasFields = 'require' in operation && operation.require !== undefined
  const type = mediaType(error.content_type ?? 'application/json')
  const reply = (description: string): OpenApiResponse => ({
    description,
    content: { [type]: { schema: refTo('Error') } },
  })
  return {
    ...Object.fromEntries(
      ownStatuses('missing_key', 'refused_key').map((status) => [status, reply(TEXTS[401] ?? '')]),
    ),
    ...Object.fromEntries(
      (hasFields ? ownStatuses('missing_field') : []).map((status) => [status, reply(TEXTS[400] ?? '')]),
    ),
    ...Object.fromEntries(
      statuses.map((status) => [statusOf(status), reply(TEXTS[status] ?? 'The service rejects the request')]),
    ),
    default: reply('Any other rejection, or the response of a fault in the scenario'),
  }
}

function json(schema: OpenApiSchema): OpenApiResponse {
  return content('application/json', schema)
}

function content(type: string, schema: OpenApiSchema): OpenApiResponse {
  return { description: 'The answer', content: { [type]: { schema } } }
}

/** A media type without its parameters. */
function mediaType(type: string): string {
  return type.replace(/;.*/, '')
}
