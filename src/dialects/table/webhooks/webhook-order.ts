import type { JsonObject } from '../../../engine/json.js'
import { readTarget, readTargets } from '../../../http/exchange/webhook-target.js'
import type { DialectTable } from '../model/dialect-table.js'
import { fieldOfBody } from '../requests/field-of-body.js'
import { REQUEST_VALUES, type RequestScope } from '../requests/request-values.js'
import { compileTemplate } from '../template/compile.js'
import { filterReader } from './event-filter.js'

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
  const readUrl = compileTemplate<RequestScope>(webhook.url ?? null, REQUEST_VALUES)
  const readUrls = compileTemplate<RequestScope>(webhook.urls ?? null, REQUEST_VALUES)
  const readFilter = filterReader(webhook)
  const urlField = fieldOfBody(webhook.url ?? '')
  const urlsField = fieldOfBody(webhook.urls ?? '')
  return (scope) => {
    const { sim } = scope.call
    const urls = readTargets(sim, urlsField, readUrls(scope))
    const url = urls?.[0] ?? readTarget(sim, urlField, readUrl(scope))
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
