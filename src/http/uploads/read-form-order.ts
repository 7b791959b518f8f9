import { fingerprintOf } from '../../engine/fingerprint.js'
import type { JsonObject, JsonValue } from '../../engine/json.js'
import { type FormField, objectOfForm } from '../exchange/form-object.js'
import type { ServiceExchange } from '../operation.js'
import { ownUpload } from './own-uploads.js'
import { textOfField } from './read-form.js'
import { readSentParts } from './read-upload.js'
import { UNKNOWN_TYPE, withinBudget } from './within-budget.js'

const encoder = new TextEncoder()

/**
 * Reads a create request that is a form, as the JSON object that it stands for. Each file is kept as an upload, and its
 * field is the URL.
 * @throws Problem 400, 413, 415 or 503
 */
export async function readFormOrder(exchange: ServiceExchange): Promise<JsonObject> {
  const parts = [...(await readSentParts(exchange))]
  const known = parts.map(([name, part]) => [name, typeof part === 'string' ? part : [part.name, part.size]])
  exchange.note.bodyHash = fingerprintOf(encoder.encode(JSON.stringify(known)))
  const fields: FormField[] = []
  for (const [name, part] of parts) fields.push([name, await fieldValue(exchange, name, part)])
  const order = objectOfForm(fields)
  exchange.note.requestBody = JSON.stringify(order)
  return order
}

async function fieldValue(exchange: ServiceExchange, name: string, part: File | string): Promise<JsonValue> {
  if (typeof part === 'string') return textOfField(name, part)
  const { sim, key, dialect } = exchange
  const uploads = await sim.uploads()
  const bytes = new Uint8Array(await part.arrayBuffer())
  const file = { name: part.name || 'file', contentType: part.type || UNKNOWN_TYPE }
  const upload = await withinBudget(sim, () =>
    uploads.add({ ...file, bytes, owner: key, dialect: dialect.name }),
  )
  return ownUpload(exchange, uploads, upload).url
}
