import type { JsonValue } from '../../json.js'
import type { Budget } from './budget.js'
import { isSchema, merge, type Schema } from './merge.js'

/** A schema without references and branches. */
export interface Flat {
  readonly schema: Schema
  /** Whether it was chosen among branches, so that what is made by it must be checked against the whole. */
  readonly isChosen: boolean
}

/** No honest schema is made of more parts than this. */
const MOST_PARTS = 500

/**
 * Follows `$ref` and `allOf`, and one branch of each `anyOf` and `oneOf`.
 * @param pick chooses the branch
 * @returns undefined for a schema that nothing can meet
 */
export function flatten(
  whole: JsonValue,
  root: JsonValue,
  budget: Budget,
  pick: (branches: readonly JsonValue[]) => JsonValue,
): Flat | undefined {
  // A part that was met already adds nothing, which also ends references in a circle.
  const parts = new Set<JsonValue>([whole])
  let schema: Schema = {}
  let isChosen = false
  for (const part of parts) {
    if (part === false) return undefined
    if (!isSchema(part)) continue
    if (parts.size > MOST_PARTS || !budget.spend(1 + sizeOf(part) + sizeOf(schema))) break
    const { $ref, $defs, definitions, allOf, anyOf, oneOf, ...own } = part
    if (typeof $ref === 'string') parts.add(pointed(root, $ref))
    for (const inner of Array.isArray(allOf) ? allOf.slice(0, MOST_PARTS) : []) parts.add(inner)
    for (const branches of [anyOf, oneOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue
      parts.add(pick(branches))
      isChosen = true
    }
    isChosen ||= own['not'] !== undefined || own['if'] !== undefined
    schema = merge(schema, own)
  }
  return { schema, isChosen }
}

/** How many entries the keywords of a schema have, which is what it costs to work with it. */
function sizeOf(schema: Schema): number {
  let size = 0
  for (const value of Object.values(schema)) {
    if (Array.isArray(value)) size += value.length
    else if (isSchema(value)) size += Object.keys(value).length
  }
  return size
}

const LONGEST_POINTER = 200

/** What a reference inside the schema leads to; anything goes (`true`) where it leads elsewhere. */
export function pointed(root: JsonValue, reference: string): JsonValue {
  if (reference.length > LONGEST_POINTER || !/^#(?:\/|$)/.test(reference)) return true
  let value: JsonValue | undefined = root
  for (const name of reference.split('/').slice(1)) {
    const key = unescapePointer(name)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true
    value = (value as Schema)[key]
  }
  return value ?? true
}

function unescapePointer(name: string): string {
  return safelyDecoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
}

function safelyDecoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
