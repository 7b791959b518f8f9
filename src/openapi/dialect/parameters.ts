import { parametersIn } from '../../dialects/path-tree.js'
import type {
  DialectOperation,
  DialectTable,
  ListOperation,
  ListUploadsOperation,
  PageSize,
} from '../../dialects/table/dialect-table.generated.js'
import { namesOfRequired } from '../../dialects/table/requests/check-present.js'
import { type TaskParameter, taskParameterOf } from '../../dialects/table/requests/task-parameter.js'
import { taskIdsOf } from '../../dialects/table/tasks/task-ids.js'
import { allWords } from '../../dialects/table/tasks/task-state.js'
import type { Template } from '../../dialects/table/template/template.js'
import type { OpenApiOperation, OpenApiParameter, OpenApiSchema } from '../openapi.js'
import { webhookFields } from './webhooks.js'

/** The parameters in the path, in the query and in headers. */
export function parametersOf(table: DialectTable, operation: DialectOperation): OpenApiParameter[] {
  return [
    ...parametersIn(operation.path).map(({ name }) => pathParameter(table, name)),
    ...queryOf(table, operation),
    ...headersOf(table, operation),
  ]
}

/** The headers that OpenAPI describes elsewhere. */
const OWN_PLACES: readonly string[] = ['accept', 'authorization', 'content-type']

function headersOf(table: DialectTable, operation: DialectOperation): OpenApiParameter[] {
  const { require_headers: required = [], key = {} } = table
  const known = [...OWN_PLACES, ...[...required, key.header ?? ''].map((name) => name.toLowerCase())]
  const read = headerNames([operation as unknown as Template, webhookUrlOf(table, operation)])
  return [
    ...required.map((name) => headerParameter(name, 'Every request needs it', true)),
    ...read
      .filter((name) => !known.includes(name.toLowerCase()))
      .map((name) => headerParameter(name, 'A value for this operation', false)),
  ]
}

function headerParameter(name: string, description: string, required: boolean): OpenApiParameter {
  return { name, in: 'header', required, description, schema: { type: 'string' } }
}

/** Where a create request has the URL of its webhooks. */
function webhookUrlOf({ webhook }: DialectTable, { action }: DialectOperation): Template {
  return action === 'create' ? [webhook?.url ?? '', webhook?.urls ?? ''] : ''
}

function pathParameter(table: DialectTable, name: string): OpenApiParameter {
  const { parameters = {} } = table
  const isTask = name === 'task_id'
  return {
    name,
    in: 'path',
    required: true,
    description: isTask ? 'The id of the task' : `The ${name.replaceAll('_', ' ')}`,
    schema: {
      type: 'string',
      ...(isTask && { pattern: taskIdsOf(table).pattern.source }),
      ...(Object.hasOwn(parameters, name) && { enum: parameters[name] }),
    },
  }
}

function queryOf(table: DialectTable, operation: DialectOperation): OpenApiParameter[] {
  if (operation.action === 'list') return listQueryOf(table, operation)
  const places = [operation as unknown as Template, webhookUrlOf(table, operation)]
  const read = namesAfter('query', places).map((name) =>
    queryParameter(name, 'A value for this operation', {}),
  )
  const isItemList = operation.action === 'list_uploads' || operation.action === 'list_receivers'
  return isItemList ? [...itemQueryOf(operation), ...read] : read
}

function itemQueryOf({ limit, after }: Pick<ListUploadsOperation, 'limit' | 'after'>): OpenApiParameter[] {
  return [
    ...(limit === undefined ? [] : [pageSizeParameter(limit, 'The maximum number of items')]),
    ...namedParameters([[after, 'The id of the last item of the previous page', TEXT]]),
  ]
}

function listQueryOf(
  { statuses }: DialectTable,
  { limit = {}, offset, page, after, before, order, filters = {} }: ListOperation,
): OpenApiParameter[] {
  const { status, model, day, queued_only: queuedOnly } = filters
  return [
    pageSizeParameter(limit, 'The maximum number of tasks'),
    ...namedParameters([
      [offset, 'How many tasks to skip', { type: 'integer', minimum: 0, default: 0 }],
      [page, 'The number of the page', { type: 'integer', minimum: 1, default: 1 }],
      [after, 'The id of the last task of the previous page', TEXT],
      [before === after ? undefined : before, 'The id of a task; the page has newer ones', TEXT],
      [order, 'The order of the creation', { type: 'string', enum: ['asc', 'desc'], default: 'desc' }],
      [status, 'The status of the tasks', { type: 'string', enum: allWords(statuses) }],
      [model, 'The model of the tasks', TEXT],
      [day, 'The day in UTC on which the tasks were created', { type: 'string', format: 'date' }],
      [queuedOnly, 'Whether to list only queued tasks', { type: 'boolean', default: false }],
    ]),
  ]
}

const TEXT: OpenApiSchema = { type: 'string' }

type NamedParameter = readonly [name: string | undefined, description: string, schema: OpenApiSchema]

/** The query parameters that have a name in the table. */
function namedParameters(parameters: readonly NamedParameter[]): OpenApiParameter[] {
  return parameters.flatMap(([name, description, schema]) =>
    name === undefined ? [] : [queryParameter(name, description, schema)],
  )
}

function pageSizeParameter(
  { parameter = 'limit', default: size = 20, max = 100 }: PageSize,
  description: string,
): OpenApiParameter {
  return queryParameter(parameter, description, { type: 'integer', minimum: 1, maximum: max, default: size })
}

function queryParameter(name: string, description: string, schema: OpenApiSchema): OpenApiParameter {
  return { name, in: 'query', required: false, description, schema }
}

/** The body of a create request: the fields that the templates of the operation read. */
export function bodyOf(
  table: DialectTable,
  operation: DialectOperation,
): OpenApiOperation['requestBody'] | undefined {
  if (operation.action === 'create_receiver' || operation.action === 'update_receiver')
    return receiverBody(operation)
  const parameter = taskParameterOf(operation)
  if (parameter?.part === 'body') return taskBody(parameter)
  if (operation.action !== 'create') return undefined
  const { fields = [], unknown_fields: unknown } = operation
  const required = namesOfRequired(operation.require ?? [])
  const read = namesAfter('body', operation as unknown as Template)
  const properties = {
    ...Object.fromEntries([...required, ...fields, ...read].map((name) => [name, {}])),
    ...webhookFields(table),
  }
  const schema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(unknown === 'reject' && { additionalProperties: false }),
  }
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema },
      ...(operation.from === 'form' && { 'multipart/form-data': { schema } }),
    },
  }
}

/** The body of a request about a task whose id it has. */
function taskBody({ name }: TaskParameter): OpenApiOperation['requestBody'] {
  const schema = name
    .split('.')
    .reduceRight<OpenApiSchema>(
      (inner, field) => ({ type: 'object', properties: { [field]: inner }, required: [field] }),
      { type: 'string', description: 'The id of the task' },
    )
  return { required: true, content: { 'application/json': { schema } } }
}

/** The body of a request about a receiver. */
function receiverBody(operation: DialectOperation): OpenApiOperation['requestBody'] {
  const required = operation.action === 'create_receiver' ? (operation.require ?? []) : []
  const names = [...new Set([...required, ...namesAfter('body', operation as unknown as Template)])]
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return { required: required.length > 0, content: { 'application/json': { schema } } }
}

/** The headers that a template reads. */
function headerNames(template: Template): string[] {
  const found = JSON.stringify(template).matchAll(/\bheader\.([\w-]+)/g)
  return [...new Set([...found].map(([, name = '']) => name))]
}

/** The fields of a value that a template reads, such as `prompt` in `{{body.prompt}}`. */
function namesAfter(value: string, template: Template): string[] {
  const found = JSON.stringify(template).matchAll(new RegExp(`\\b${value}\\.([A-Za-z_]\\w*)`, 'g'))
  return [...new Set([...found].map(([, name = '']) => name))]
}
