import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { allTables } from '../../dialects/table/tasks/objects.js'
import { propertiesOf } from '../fields.js'
import { refTo } from '../json-schema.js'
import type { OpenApiDocument, OpenApiParameter, OpenApiSchema } from '../openapi.js'

/** The webhooks that a service sends, by the name of their event; undefined if it sends none. */
export function webhooksOf(table: DialectTable): OpenApiDocument['webhooks'] {
  const { webhook } = table
  if (webhook === undefined) return undefined
  const names = new Set(allTables(table).flatMap(eventNames))
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      {
        post: {
          operationId: `webhooks.${name}`,
          tags: ['Webhooks'],
          summary: `Receive \`${name}\``,
          security: [],
          parameters: signatureHeaders(webhook.signature),
          requestBody: { required: true, content: { 'application/json': { schema: refTo('Webhook') } } },
          responses: { '2XX': { description: 'The webhook is delivered' } },
        },
      },
    ]),
  )
}

function eventNames({ webhook, statuses }: DialectTable): string[] {
  if (webhook === undefined) return []
  const own = Object.values(webhook.events).flatMap((event) => event?.name ?? [])
  const variants = Object.values(statuses).flatMap((status) => status.variants ?? [])
  return [...own, ...variants.flatMap(({ event }) => event ?? [])]
}

function signatureHeaders(signature: NonNullable<DialectTable['webhook']>['signature']): OpenApiParameter[] {
  if (signature === undefined) return []
  const names =
    signature === 'standard-webhooks'
      ? ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      : [signature.header, ...Object.keys(signature.headers ?? {})]
  return names.map((name) => ({
    name,
    in: 'header',
    required: true,
    description: 'A part of the signature',
    schema: { type: 'string' },
  }))
}

type Properties = Readonly<Record<string, OpenApiSchema>>

const URL_SCHEMA: OpenApiSchema = { type: ['string', 'null'], format: 'uri' }

/** The fields of the body in which a request orders webhooks, with their schemas. */
export function webhookFields({ webhook }: DialectTable): Properties {
  const { url = '', urls = '', filter } = webhook ?? {}
  const several = (items: OpenApiSchema): OpenApiSchema => ({ type: ['array', 'null'], items })
  const fields = [
    ...pathsIn(url).map((path) => schemaAt(path, URL_SCHEMA)),
    ...pathsIn(urls).map((path) => schemaAt(path, several({ type: 'string', format: 'uri' }))),
    ...pathsIn(filter?.from ?? '').map((path) => schemaAt(path, several({ type: 'string' }))),
  ]
  return fields.reduce<Properties>((known, field) => merged(known, propertiesOf(field)), {})
}

/** The paths of the fields of the body that a text reads, such as `notify.url` in `{{body.notify.url}}`. */
function pathsIn(text: string): (readonly string[])[] {
  return [...text.matchAll(/\bbody\.([A-Za-z_][\w.-]*)/g)].map(([, path = '']) => path.split('.'))
}

/** A schema of a mapping that has another schema at a path. A number in the path is an index of a list. */
function schemaAt(path: readonly string[], schema: OpenApiSchema): OpenApiSchema {
  return path.reduceRight<OpenApiSchema>(
    (inner, step) =>
      /^\d+$/.test(step)
        ? { type: ['array', 'null'], items: inner }
        : { type: ['object', 'null'], properties: { [step]: inner } },
    schema,
  )
}

function merged(known: Properties, more: Properties): Properties {
  const entries = Object.entries(more).map(([name, schema]) => {
    const other = known[name]
    if (other?.['properties'] === undefined) return [name, schema]
    return [name, { ...other, properties: merged(propertiesOf(other), propertiesOf(schema)) }]
  })
  return { ...known, ...Object.fromEntries(entries) }
}
