import type { Dialect } from '../../../dialects/dialect.js'
import { findCreate } from '../../../dialects/reading/find-create.js'
import { matchPath, pathOf } from '../../../dialects/reading/match-path.js'
import { parseText } from '../../../dialects/table/template/parse.js'
import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { valueAt } from '../../../engine/tasks/value-at.js'

/** Where a request has the URL of a receiver. */
export interface WebhookPlace {
  readonly part: 'body' | 'query' | 'header'
  readonly steps: readonly string[]
}

/** The places of the URLs of receivers in a request, which creates a task or registers a receiver. */
export function webhookPlaces(
  dialect: Dialect,
  request: { readonly method: string; readonly url: URL },
): readonly WebhookPlace[] {
  const create = findCreate(dialect, request)
  const templates =
    create === undefined
      ? registrationTemplates(dialect, request)
      : [create.form.webhookUrl, dialect.table.webhook?.urls]
  return templates.flatMap((template) => (template === undefined ? [] : placesIn(template)))
}

function registrationTemplates(
  { table, hosts }: Dialect,
  { method, url }: { readonly method: string; readonly url: URL },
): (string | undefined)[] {
  const found = table.operations.find(
    (operation) =>
      (operation.action === 'create_receiver' || operation.action === 'update_receiver') &&
      operation.method === method &&
      matchPath(`${table.prefix ?? ''}${operation.path}`, pathOf(hosts, url)) !== undefined,
  )
  return found !== undefined && 'url' in found ? [found.url] : []
}

function placesIn(template: string): WebhookPlace[] {
  const operands = parseText(template).flatMap((part) => (typeof part === 'string' ? [] : part))
  return operands.flatMap(({ value }): WebhookPlace[] => {
    if (!('name' in value)) return []
    const { name: part, steps } = value
    return part === 'body' || part === 'query' || part === 'header' ? [{ part, steps }] : []
  })
}

/** The texts at a place of a body: one, or those of a list. */
export function textsAt(body: JsonValue, steps: readonly string[]): string[] {
  const found = isJsonObject(body) ? valueAt(body, steps.join('.')) : undefined
  return (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string')
}
