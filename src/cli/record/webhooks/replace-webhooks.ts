import type { OutgoingHttpHeaders } from 'node:http'
import type { Dialect } from '../../../dialects/dialect.js'
import { findCreate, findOperation } from '../../../dialects/reading/find-operation.js'
import { parseText } from '../../../dialects/table/template/parse.js'
import { isJsonObject, type JsonValue, valueAt } from '../../../engine/json.js'
import { parseShallow } from '../../../record/recording/shallow-json.js'
import type { WebhookAddresses } from './webhook-addresses.js'

/** The parts of a request that can contain the URL of a receiver. */
interface EditedRequest {
  readonly method: string
  readonly url: string
  readonly headers: OutgoingHttpHeaders
  /** Undefined if it is not JSON. */
  readonly body: Buffer | undefined
}

/** Replaces the URLs of receivers in a request by public URLs. */
export function replaceWebhooks<Request extends EditedRequest>(
  request: Request,
  dialect: Dialect,
  addresses: WebhookAddresses,
): Request {
  const fields = webhookFields(dialect, { method: request.method, url: new URL(request.url) })
  return fields.reduce((edited, field) => replaceAt(edited, field, addresses), request)
}

function replaceAt<Request extends EditedRequest>(
  request: Request,
  { part, steps }: WebhookField,
  addresses: WebhookAddresses,
): Request {
  const name = steps.join('.')
  switch (part) {
    case 'body':
      return { ...request, body: request.body && replaceInBody(request.body, steps, addresses) }
    case 'query':
      return { ...request, url: replaceInQuery(request.url, name, addresses) }
    case 'header': {
      const value = request.headers[name.toLowerCase()]
      const publicUrl = typeof value === 'string' ? addresses.publicUrlOf(value) : undefined
      if (publicUrl === undefined) return request
      return { ...request, headers: { ...request.headers, [name.toLowerCase()]: publicUrl } }
    }
  }
}

/** Replaces texts in place, because a parser would change long numbers. */
function replaceInBody(body: Buffer, steps: readonly string[], addresses: WebhookAddresses): Buffer {
  const json = parseShallow(String(body))
  if (json === undefined) return body
  return textsAt(json, steps).reduce((edited, receiver) => {
    const publicUrl = addresses.publicUrlOf(receiver)
    if (publicUrl === undefined) return edited
    const text = JSON.stringify(receiver)
    return Buffer.from(
      [text, text.replaceAll('/', '\\/')].reduce(
        (all, each) => all.replaceAll(each, () => JSON.stringify(publicUrl)),
        String(edited),
      ),
    )
  }, body)
}

function replaceInQuery(text: string, name: string, addresses: WebhookAddresses): string {
  const url = new URL(text)
  const receiver = url.searchParams.get(name)
  const publicUrl = receiver === null ? undefined : addresses.publicUrlOf(receiver)
  if (publicUrl === undefined) return text
  url.searchParams.set(name, publicUrl)
  return url.href
}

/** Where a request has the URL of a receiver. */
interface WebhookField {
  readonly part: 'body' | 'query' | 'header'
  readonly steps: readonly string[]
}

/** The fields of the URLs of receivers in a request, which creates a task or registers a receiver. */
function webhookFields(
  dialect: Dialect,
  request: { readonly method: string; readonly url: URL },
): readonly WebhookField[] {
  const create = findCreate(dialect, request)
  const templates =
    create === undefined
      ? registrationTemplates(dialect, request)
      : [create.form.webhookUrl, dialect.table.webhook?.urls]
  return templates.flatMap((template) => (template === undefined ? [] : fieldsIn(template)))
}

function registrationTemplates(
  dialect: Dialect,
  request: { readonly method: string; readonly url: URL },
): (string | undefined)[] {
  const operation = findOperation(dialect, request)?.operation
  return operation?.action === 'create_receiver' || operation?.action === 'update_receiver'
    ? [operation.url]
    : []
}

function fieldsIn(template: string): WebhookField[] {
  const operands = parseText(template).flatMap((part) => (typeof part === 'string' ? [] : part))
  return operands.flatMap(({ value }): WebhookField[] => {
    if (!('name' in value)) return []
    const { name: part, steps } = value
    return part === 'body' || part === 'query' || part === 'header' ? [{ part, steps }] : []
  })
}

/** The texts at a place of a body: one, or those of a list. */
function textsAt(body: JsonValue, steps: readonly string[]): string[] {
  const found = isJsonObject(body) ? valueAt(body, steps.join('.')) : undefined
  return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string')
}
