import type { JsonValue } from './json.js'

/**
 * JSON with the keys of every object sorted, so that equal values have the same text. It recurses, so the caller limits
 * the depth of untrusted input.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`)
  return `{${fields.join(',')}}`
}
