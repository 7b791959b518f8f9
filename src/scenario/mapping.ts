/** A plain object of a scenario file, with values of any form. */
export type Mapping = Readonly<Record<string, unknown>>

/** Whether a value is a plain object. A Map or a Date has no fields, so it would look like an empty mapping. */
export function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
