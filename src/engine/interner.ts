import { Recent } from './recent.js'

/**
 * Replaces a new object with the last one of the same key, if all fields are equal (`===`). A million tasks with the
 * same plan then share one object. All objects of a key must have the same names of fields, or differ in a field that
 * all of them have.
 */
export class Interner<Value extends object> {
  readonly #last = new Recent<string, Value>()

  /** @returns the last object if it is equal; otherwise the new one */
  intern(key: string, value: Value): Value {
    const last = this.#last.get(key)
    if (last !== undefined && hasSameFields(value, last)) return last
    this.#last.set(key, value)
    return value
  }
}

/** Whether two objects with the same names have the same values. */
function hasSameFields<Value extends object>(one: Value, other: Value): boolean {
  for (const name in one) if (one[name] !== other[name]) return false
  return true
}
