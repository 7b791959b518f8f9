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
  const draft = emptyDraft()
  writeBack(form.model ?? '{{body.model}}', model, draft)
  writeBack(form.input ?? '{{body}}', input, draft)
  writeBack(form.keep ?? {}, extra?.['kept'], draft)
  writeBack(form.webhookUrl, webhookUrl, draft)
  return draft
}
