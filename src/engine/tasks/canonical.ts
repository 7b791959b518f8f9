import type { JsonValue } from '../json.js'

/**
 * JSON with the keys of every object in order, so that two inputs that say the same have the same text.
 * It recurses: check the depth of what a stranger sent before.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`)
  return `{${fields.join(',')}}`
}
