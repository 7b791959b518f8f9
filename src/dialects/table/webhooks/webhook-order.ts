import type { JsonObject, JsonValue } from '../../../engine/json.js'
import type { TaskEvent } from '../../../engine/webhooks/events/task-event.js'
import type { WebhookFormat } from '../../../engine/webhooks/webhook-format.js'
import { invalid } from '../../../exchange/problem.js'
import { readTarget, readTargets } from '../../../exchange/webhook-target.js'
import type { DialectTable, DialectWebhook } from '../dialect-table.generated.js'
import { fieldOfBody, REQUEST_VALUES, type RequestScope } from '../requests/request-values.js'
import { compileTemplate } from '../template/compile.js'

/** The webhooks that a request asks for. */
interface WebhookOrder {
  /** The first receiver; undefined if the request names none. */
  readonly url: string | undefined
  /** All receivers if there are several, and the names of the events that they want, for the task to keep. */
  readonly extra: JsonObject
}

/**
 * Returns a function that reads which webhooks a request asks for.
 * @throws Problem 400 from the function, if the request names no valid receiver
 */
export function webhookReader({ webhook }: DialectTable): (scope: RequestScope) => WebhookOrder {
  if (webhook === undefined) return () => ({ url: undefined, extra: {} })
  const readUrl =
    webhook.url === undefined ? undefined : compileTemplate<RequestScope>(webhook.url, REQUEST_VALUES)
  const readUrls = webhook.urls && compileTemplate<RequestScope>(webhook.urls, REQUEST_VALUES)
  const readFilter = filterReader(webhook)
  const urlField = fieldOfBody(webhook.url ?? '')
  const urlsField = fieldOfBody(webhook.urls ?? '')
  return (scope) => {
    const { sim } = scope.call
    const urls = readUrls && readTargets(sim, urlsField, readUrls(scope))
    const given = readUrl?.(scope) ?? undefined
    const url = urls?.[0] ?? (given === undefined ? undefined : readTarget(sim, urlField, given))
    const filter = url === undefined ? undefined : readFilter?.(scope)
    return {
      url,
      extra: {
        ...(urls && urls.length > 1 && { webhookUrls: [...urls] }),
        ...(filter && { events: [...filter] }),
      },
    }
  }
}

/** Reads which events the request of a task asks for, in the words of the service; undefined for all. */
type ReadFilter = (scope: RequestScope) => readonly string[] | undefined

/**
 * Returns how a service reads the filter of a request. A word that names no event is a rejection.
 * @returns undefined if the service has no filter
 */
function filterReader({ filter, events }: DialectWebhook): ReadFilter | undefined {
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
export function requestedEvents({ filter, events }: DialectWebhook): WebhookFormat['isRequested'] {
  if (filter === undefined) return undefined
  return (event, { extra }) => {
    const wanted = extra?.['events']
    return !Array.isArray(wanted) || wanted.includes(events[stateOf(event)]?.name ?? '')
  }
}

function isListOf(words: readonly string[], value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && words.includes(item))
}

type WithoutPrefix<Event> = Event extends `task.${infer State}` ? State : never

/** How dialect files name an event: what has happened to the task. */
export function stateOf(event: TaskEvent): WithoutPrefix<TaskEvent> {
  return event.slice('task.'.length) as WithoutPrefix<TaskEvent>
}
