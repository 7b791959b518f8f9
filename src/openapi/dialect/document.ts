import { errorBodies } from '../../dialects/table/answers/table-error.js'
import type {
  DialectOperation,
  DialectTable,
  DialectWebhook,
  KeyForm,
} from '../../dialects/table/dialect-table.generated.js'
import { endedApi } from '../../dialects/table/ended.js'
import { allTables, type ObjectTable, tableOf } from '../../dialects/table/tasks/objects.js'
import { taskTemplates } from '../../dialects/table/tasks/task-template.js'
import type { Template } from '../../dialects/table/template/template.js'
import {
  anyOf,
  type DescribedValues,
  schemaOf,
  sometimes,
} from '../../dialects/table/template/template-schema.js'
import { ERROR_SCHEMAS, taskValues } from '../../dialects/table/value-schemas.js'
import { insteadOf } from '../../engine/requests/ended-api.js'
import { formsOf, propertiesOf } from '../fields.js'
import { refTo } from '../json-schema.js'
import type { OpenApiDocument, OpenApiOperation, OpenApiPath, OpenApiSchema } from '../openapi.js'
import { answerValues, listedComponent, taskComponent, webhookValues } from './components.js'
import { bodyOf, parametersOf } from './parameters.js'
import { responsesOf } from './responses.js'
import { webhooksOf } from './webhooks.js'

const TAGS: Readonly<Record<string, string>> = {
  Tasks: 'Generation tasks and their results',
  Service: 'Everything else that the service answers',
  Webhooks: 'Notifications from the service',
}

const SUMMARIES: Readonly<Record<string, string>> = {
  create: 'Create a task',
  retrieve: 'Retrieve a task',
  result: 'Retrieve the result of a task',
  cancel: 'Cancel a task',
  delete: 'Delete a task',
  list: 'List tasks',
  file: 'Download an output file',
  stream: 'Stream the output of a task',
  parts: 'Read new parts of the output of a task',
  count: 'Count the tasks',
  cancel_queued: 'Cancel the queued tasks',
  upload: 'Upload a file',
  retrieve_upload: 'Retrieve an uploaded file',
  list_uploads: 'List the uploaded files',
  delete_upload: 'Delete an uploaded file',
  create_receiver: 'Register a receiver of webhooks',
  retrieve_receiver: 'Retrieve a receiver of webhooks',
  update_receiver: 'Change a receiver of webhooks',
  delete_receiver: 'Delete a receiver of webhooks',
  list_receivers: 'List the receivers of webhooks',
  ping_receiver: 'Send a test webhook',
  rotate_secret: 'Replace the signing secret of a receiver',
}

/**
 * The OpenAPI document of a dialect that a table describes.
 * @param origin the server: scheme, host and mount path
 */
export function dialectDocument(table: DialectTable, origin: string): OpenApiDocument {
  const { name, title, prefix = '' } = table
  const paths: Record<string, OpenApiPath> = {}
  for (const operation of table.operations) {
    const path = (prefix + operation.path).replace('...}', '}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(table, operation) }
  }
  const webhooks = webhooksOf(table)
  const keys = keysOf(table)
  const tags = new Set([paths, webhooks ?? {}].flatMap(tagsIn))
  return {
    openapi: '3.1.1',
    info: { title, version: '1', description: descriptionOf(title) },
    servers: [{ url: `${origin}/${name}` }],
    security: Object.keys(keys).map((key) => ({ [key]: [] })),
    tags: [...tags].map((tag) => ({ name: tag, description: TAGS[tag] ?? tag })),
    paths,
    ...(webhooks !== undefined && { webhooks }),
    components: { schemas: componentsOf(table), securitySchemes: keys },
  }
}

function descriptionOf(title: string): string {
  return `The part of the wire format of ${title} that tasksim imitates, derived from its dialect file. It is not the documentation of ${title}: fields of requests that tasksim does not read are not listed.

A scenario can make any request fail, and any response deviate from this document.`
}

function operationOf(table: DialectTable, operation: DialectOperation): OpenApiOperation {
  const { method, path, action } = operation
  const own = tableOf(table, operation.object)
  const parameters = parametersOf(own, operation)
  const requestBody = bodyOf(own, operation)
  const summary = SUMMARIES[action]
  const ended = endedApi(table, path)
  return {
    operationId: [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])].join('_'),
    tags: [summary === undefined ? 'Service' : isAboutReceivers(action) ? 'Webhooks' : 'Tasks'],
    summary: summary ?? `${method} ${path}`,
    ...(ended !== undefined && { deprecated: true, description: `Ends on ${ended.on}. ${insteadOf(ended)}` }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(own, operation),
  }
}

function isAboutReceivers(action: DialectOperation['action']): boolean {
  return action === 'rotate_secret' || /_receivers?$/.test(action)
}

function tagsIn(paths: Readonly<Record<string, OpenApiPath>>): readonly string[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags))
}

function componentsOf(table: DialectTable): Record<string, OpenApiSchema> {
  const { error, webhook } = table
  const tables = allTables(table)
  return {
    Error: anyOf(errorBodies(error).map((body) => schemaOf(body, errorSchemas(error)))),
    ...Object.assign(
      {},
      ...tables.map((each) => ({ ...listedTasks(each), [taskComponent(each)]: taskSchema(each) })),
    ),
    ...(webhook !== undefined && { Webhook: anyOf(tables.flatMap(webhookSchemas)) }),
  }
}

/** The values in rejections. The types of some services are numbers or mappings. */
function errorSchemas({ types = {} }: DialectTable['error']): DescribedValues {
  const areTexts = Object.values(types).every((type) => typeof type === 'string')
  return areTexts ? ERROR_SCHEMAS : { ...ERROR_SCHEMAS, type: sometimes({}) }
}

/** The tasks in a list, if they have a form of their own. */
function listedTasks(table: ObjectTable): Record<string, OpenApiSchema> {
  const items = table.operations.flatMap((each) =>
    each.action === 'list' && each.object === table.object && each.item !== undefined ? [each.item] : [],
  )
  const [item] = items
  if (item === undefined) return {}
  return { [listedComponent(table, { item })]: schemaOf(item, answerValues(table)) }
}

function webhookSchemas(table: DialectTable): OpenApiSchema[] {
  const { webhook } = table
  if (webhook === undefined) return []
  return bodiesOf(webhook).map((body) =>
    body === undefined ? refTo(taskComponent(table)) : schemaOf(body, webhookValues(table)),
  )
}

/** The bodies of all events of a service. */
function bodiesOf({ body, events }: DialectWebhook): (Template | undefined)[] {
  return Object.values(events).map((event) => event?.body ?? body)
}

/** The locations of the API key, of which a request needs one. */
function keysOf({ key = {} }: DialectTable): Record<string, object> {
  return Object.assign({}, ...[key, ...(key.or ?? [])].map((each, index) => keyAt(each, index)))
}

function keyAt({ header = 'Authorization', scheme, query }: KeyForm, index: number): Record<string, object> {
  const description = 'Any key, unless the scenario lists the valid ones'
  const isHttp = header.toLowerCase() === 'authorization' && scheme?.toLowerCase() === 'bearer'
  const name = index === 0 ? 'key' : `key_${index + 1}`
  return {
    [name]: isHttp
      ? { type: 'http', scheme: 'bearer', description }
      : { type: 'apiKey', in: 'header', name: header, description },
    ...(query !== undefined && {
      [`${name}_in_query`]: { type: 'apiKey', in: 'query', name: query, description },
    }),
  }
}

/** The schema of a task: its own fields, and those of each state and of a removed task, which are optional. */
function taskSchema(table: DialectTable): OpenApiSchema {
  const values = taskValues(table)
  const base = schemaOf(table.task, values)
  const properties = { ...propertiesOf(base) }
  for (const { status, variant, template } of taskTemplates(table)) {
    const { fields = {}, variants = [] } = table.statuses[status]
    const names = Object.keys({ ...fields, ...(variant !== undefined && variants[variant]?.fields) })
    const own = Object.entries(propertiesOf(schemaOf(template, values)))
    for (const [name, schema] of own.filter(([name]) => names.includes(name))) {
      const known = properties[name]
      properties[name] = known === undefined ? schema : anyOf([...formsOf(known), schema])
    }
  }
  for (const [name, schema] of Object.entries(propertiesOf(schemaOf(table.removed ?? {}, values)))) {
    const known = properties[name]
    // Without a known field, the input of the client may contain it.
    properties[name] = known === undefined ? {} : anyOf([...formsOf(known), schema])
  }
  return { ...base, properties }
}
