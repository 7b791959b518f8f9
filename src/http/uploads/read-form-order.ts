import { fingerprintOf } from '../../engine/fingerprint.js'
import type { JsonObject, JsonValue } from '../../engine/json.js'
import type { ServiceExchange } from '../operation.js'
import { ownUpload } from './own-uploads.js'
import { textOfField } from './read-form.js'
import { readSentParts } from './read-upload.js'
import { UNKNOWN_TYPE, withinBudget } from './within-budget.js'

const encoder = new TextEncoder()

/**
 * Reads a create request that is a form, as the JSON object that it stands for: a name such as `size[width]` is a field
 * of a mapping, and one such as `tags[]` an item of a list. Each file is kept as an upload, and its field is the URL.
 * @throws Problem 400, 413, 415 or 503
 */
export async function readFormOrder(exchange: ServiceExchange): Promise<JsonObject> {
  const parts = [...(await readSentParts(exchange))]
  const known = parts.map(([name, part]) => [name, typeof part === 'string' ? part : [part.name, part.size]])
  exchange.note.bodyHash = fingerprintOf(encoder.encode(JSON.stringify(known)))
  const entries: Entry[] = []
  for (const [name, part] of parts)
    entries.push({ path: pathOf(name), value: await fieldValue(exchange, name, part) })
  const order = mappingOf(entries)
  exchange.note.requestBody = JSON.stringify(order)
  return order
}

interface Entry {
  /** The names of the fields that lead to the value; an empty name is the next item of a list. */
  readonly path: readonly string[]
  readonly value: JsonValue
}

function pathOf(name: string): string[] {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\]){1,4})$/.exec(name) ?? []
  return first === undefined || rest === undefined ? [name] : [first, ...rest.slice(1, -1).split('][')]
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

function mappingOf(entries: readonly Entry[]): JsonObject {
  const names = [...new Set(entries.map(({ path: [name = ''] }) => name))]
  return Object.fromEntries(names.map((name) => [name, valueBelow(entriesBelow(entries, name))]))
}

function entriesBelow(entries: readonly Entry[], name: string): Entry[] {
  return entries
    .filter(({ path }) => path[0] === name)
    .map(({ path, value }) => ({ path: path.slice(1), value }))
}

/** The value of entries below the same field. Of several plain values, the last one applies. */
function valueBelow(entries: readonly Entry[]): JsonValue {
  const plain = entries.findLast(({ path }) => path.length === 0)
  if (plain !== undefined) return plain.value
  const isList = entries.every(({ path: [name] }) => name === '')
  return isList
    ? entries.map(({ path, value }) => valueBelow([{ path: path.slice(1), value }]))
    : mappingOf(entries)
}
