import type { Dialect } from '../../dialects/dialect.js'
import { readOrder, type SeenOrder } from '../../dialects/reading/read-order.js'
import { type CreateForm, createForms } from '../../dialects/requests/create-form.js'
import { createRequest } from '../../dialects/requests/create-request.js'
import type { Wanted } from '../../dialects/requests/service-request.js'

/** Stands for the server, if the dialect names no host. */
const SERVER = 'http://server.invalid'

/** The first operation for an order whose request names the model as the service would. */
export function formFor(dialect: Dialect, wanted: Wanted): CreateForm | undefined {
  const fits = createForms(dialect).filter(({ kind }) => kind === undefined || kind === wanted.kind)
  return fits.find(({ path }) => {
    const order = { ...wanted, extra: { path } }
    const { pathname } = urlOf(dialect, order)
    // A model with several segments does not belong into one segment.
    return !pathname.includes('%2F') && seenIn(dialect, order)?.model === wanted.model
  })
}

/** The fields of an input that a request of the service does not contain, or with another value. */
export function omittedFields(dialect: Dialect, wanted: Wanted): string[] {
  const seen = seenIn(dialect, wanted)?.input ?? {}
  return Object.keys(wanted.input).filter(
    (name) => JSON.stringify(seen[name]) !== JSON.stringify(wanted.input[name]),
  )
}

/** What the service reads in the request for an order. */
function seenIn(dialect: Dialect, wanted: Wanted): SeenOrder | undefined {
  const { method, body = {}, headers } = createRequest(dialect, wanted, { origin: '', key: 'any' })
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return readOrder(dialect, { method, url: urlOf(dialect, wanted), body, header: (name) => named.get(name) })
}

function urlOf(dialect: Dialect, wanted: Wanted): URL {
  return new URL(createRequest(dialect, wanted, { origin: '', key: 'any' }).url, SERVER)
}
