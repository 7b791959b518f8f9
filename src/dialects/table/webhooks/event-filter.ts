import type { JsonValue } from '../../../engine/json.js'
import type { WebhookFormat } from '../../../engine/webhooks/webhook-format.js'
import { invalid } from '../../../http/exchange/problem.js'
import { stateOf } from '../model/webhook-state.js'
import type { WebhookTable } from '../model/webhook-table.js'
import { fieldOfBody } from '../requests/field-of-body.js'
import { REQUEST_VALUES, type RequestScope } from '../requests/request-values.js'
import { compileTemplate } from '../template/compile.js'

/** Reads which events the request of a task asks for, in the words of the service; undefined for all. */
export type ReadFilter = (scope: RequestScope) => readonly string[] | undefined

/**
 * Returns how a service reads the filter of a request. A word that names no event is a rejection.
 * @returns undefined if the service has no filter
 */
export function filterReader({ filter, events }: WebhookTable): ReadFilter | undefined {
  if (filter === undefined) return undefined
  const words = [...new Set(Object.values(events).flatMap((event) => event?.name ?? []))]
  const read = compileTemplate<RequestScope>(filter.from, REQUEST_VALUES)
  const field = fieldOfBody(filter.from)
  return (scope) => {
    const value = read(scope)
    if (value === undefined || value === null) return filter.default
    if (!isListOf(words, value))
      throw invalid('field', field, value, `a list of the words ${words.join(', ')}`)
    return [...new Set(value)]
  }
}

/** Returns whether the request of a task, by its field `extra`, asks for an event; undefined if the service has no filter. */
export function requestedEvents({ filter, events }: WebhookTable): WebhookFormat['isRequested'] {
  if (filter === undefined) return undefined
  return (event, { extra }) => {
    const wanted = extra?.['events']
    return !Array.isArray(wanted) || wanted.includes(events[stateOf(event)]?.name ?? '')
  }
}

function isListOf(words: readonly string[], value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && words.includes(item))
}
