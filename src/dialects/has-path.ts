/** The fields from the root of a value to a value in it. */
export type FieldPath = readonly string[]

/** Whether a value has something, or null, at a path. */
export function hasPath(value: unknown, [field, ...rest]: FieldPath): boolean {
  if (field === undefined) return value !== undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return false
  return hasPath((value as Readonly<Record<string, unknown>>)[field], rest)
}
