import { fingerprintOf } from '../../engine/digest.js'
import type { JsonObject, JsonValue } from '../../engine/json.js'
import { type FormField, objectOfForm } from '../../exchange/form-object.js'
import { MAX_RECORDED } from '../json-body.js'
import type { ServiceExchange } from '../operation.js'
import { type FormPart, textOf } from './read-form.js'
import { readSentParts, withinBudget } from './read-upload.js'
import { ownUpload } from './upload-form.js'

const encoder = new TextEncoder()

/**
 * Reads a create request that is a form, as the JSON object that it stands for. Each file is kept as an upload, and its
 * field is the URL.
 * @throws Problem 400, 413, 415 or 503
 */
export async function readFormOrder(exchange: ServiceExchange): Promise<JsonObject> {
  const parts = await readSentParts(exchange)
  const known = parts.map((part) =>
    part.fileName === undefined ? [part.name, textOf(part)] : [part.name, [part.fileName, part.bytes.length]],
  )
  exchange.note.bodyHash = fingerprintOf(encoder.encode(JSON.stringify(known)))
  const fields: FormField[] = []
  for (const part of parts) fields.push([part.name, await fieldValue(exchange, part)])
  const order = objectOfForm(fields)
  const text = JSON.stringify(order)
  if (text.length <= MAX_RECORDED) exchange.note.requestBody = text
  return order
}

async function fieldValue(exchange: ServiceExchange, part: FormPart): Promise<JsonValue> {
  if (part.fileName === undefined) return textOf(part)
  const { sim, key, dialect } = exchange
  const uploads = await sim.uploads()
  const { bytes, contentType } = part
  const upload = await withinBudget(sim, () =>
    uploads.add({ name: part.fileName || 'file', contentType, bytes, owner: key, dialect: dialect.name }),
  )
  discardUnlessCreated(exchange, () => uploads.delete(upload.id))
  return ownUpload(exchange, uploads, upload).url
}

/** Without a task, nobody knows the URL of the file. */
function discardUnlessCreated(exchange: ServiceExchange, discard: () => void): void {
  const { discard: others } = exchange.body
  exchange.body.discard = () => {
    others?.()
    discard()
  }
}
