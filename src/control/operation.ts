import * as v from 'valibot'
import { type Awaitable, after } from '../engine/awaitable.js'
import type { JsonObject } from '../engine/json.js'
import type { Reply } from '../http/exchange/exchange.js'
import { readJsonObject, readOptionalJsonObject } from '../http/json-body.js'
import type { Exchange, Operation } from '../http/operation.js'
import { checkMirrored } from './operation/check-mirrored.js'
import type { BodyDescription, OperationDescription } from './operation/description.js'
import { readFields, readQuery } from './operation/read-fields.js'
import { readText } from './operation/read-text.js'
import { CONTROL_PATHS, type ControlId } from './paths.js'

/** An operation of the control API with its documentation; `CONTROL_PATHS` has its method and path. */
export interface ControlOperation extends Operation, OperationDescription {
  readonly id: ControlId
}

interface Definition<Query extends v.GenericSchema, Body extends v.GenericSchema>
  extends OperationDescription {
  readonly query?: Query
  readonly body?: BodyDescription & { readonly schema: Body }
  run(
    exchange: Exchange,
    given: { readonly query: v.InferOutput<Query>; readonly body: v.InferOutput<Body> },
  ): Awaitable<Reply>
}

const NO_FIELDS = v.strictObject({})

/**
 * Defines an operation that validates its query and body before it runs. A POST without a body schema accepts no fields.
 */
export function controlOperation<Query extends v.GenericSchema, Body extends v.GenericSchema>(
  id: ControlId,
  { run, ...description }: Definition<Query, Body>,
): ControlOperation {
  const { query: querySchema, body: described } = description
  const readsBody = described !== undefined || CONTROL_PATHS[id].startsWith('POST ')
  const bodySchema = described?.schema ?? NO_FIELDS
  const readBody = (json: JsonObject) => (described?.validate === false ? json : readFields(bodySchema, json))
  const readJson = described === undefined || described.optional ? readOptionalJsonObject : readJsonObject
  return {
    ...description,
    id,
    authenticated: false,
    run(exchange) {
      checkMirrored(id, exchange)
      const query = querySchema && readQuery(querySchema, exchange.request.query)
      if (described?.type !== undefined)
        return readText(exchange).then((body) => run(exchange, { query, body: v.parse(bodySchema, body) }))
      const runWith = (body?: JsonObject) => run(exchange, { query, body: body && readBody(body) })
      return readsBody ? after(readJson(exchange), runWith) : runWith()
    },
  }
}

/** The error codes of a rejected JSON body. */
export const BODY_ERRORS = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const
