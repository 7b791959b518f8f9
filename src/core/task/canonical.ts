import type { JsonValue } from '../json.js'

/**
 * JSON with the keys of every object in order, so that two inputs that say the same have the same text.
 * It recurses: see {@link isDeeperThan} before passing in what a stranger sent.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`)
  return `{${fields.join(',')}}`
}

/** Tells whether objects and arrays are nested more than `limit` levels deep. */
export function isDeeperThan(value: JsonValue, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (isDeeperThan(inner, limit - 1)) return true
  }
  return false
}
