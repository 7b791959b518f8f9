import { isJsonObject, type JsonValue } from '../../engine/json.js'
import type { Dialect } from '../dialect.js'
import { addressOf, fillPath, pathValues, requiredHeaders } from './address.js'
import { type CreateForm, createFormOf } from './create-form.js'
import type { Destination, ServiceRequest, Wanted } from './service-request.js'
import { emptyDraft, type RequestDraft, writeBack } from './write-back.js'

/**
 * Returns the request of a service that creates a task. For the order of an existing task, it creates an identical one.
 * @throws Error if the service creates no tasks
 */
export function createRequest(dialect: Dialect, wanted: Wanted, destination: Destination): ServiceRequest {
  const form = createFormOf(dialect, wanted)
  const { body, query, header, ...draft } = createDraft(form, wanted)
  const { origin, path } = addressOf(
    dialect,
    fillPath(form.path, pathValues(dialect, draft.path)),
    destination,
  )
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  return {
    method: form.method,
    url: origin + path + search,
    headers: {
      ...requiredHeaders(dialect, destination.key),
      'Content-Type': 'application/json',
      ...header,
    },
    body,
  }
}

/** The parts of a create request that depend on the task. */
export function createDraft(form: CreateForm, { model, input, webhookUrl, extra }: Wanted): RequestDraft {
  const kept = extra?.['kept']
  const draft = emptyDraft(extra === undefined ? [] : missingIn(form.keep, kept))
  writeBack(form.model ?? '{{body.model}}', model, draft)
  writeBack(form.input ?? '{{body}}', input, draft)
  writeBack(form.keep ?? {}, kept, draft)
  writeBack(form.webhookUrl, webhookUrl, draft)
  return draft
}

/** The templates of values that a task could have kept, and did not: its request had no such values. */
function missingIn(keep: CreateForm['keep'] = {}, kept: JsonValue | undefined): string[] {
  const values = isJsonObject(kept) ? kept : {}
  return Object.entries(keep).flatMap(([name, template]) =>
    typeof template === 'string' && values[name] === undefined ? [template] : [],
  )
}
