import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { allTables } from '../../dialects/table/tasks/objects.js'
import { refTo } from '../json-schema.js'
import type { OpenApiDocument, OpenApiParameter } from '../openapi.js'

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
