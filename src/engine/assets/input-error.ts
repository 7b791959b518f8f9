import type { JsonValue } from '../json.js'

/** Thrown if an input has a value that its model does not support. */
export class InputError extends Error {
  override readonly name = 'InputError'
  /** The invalid field, such as `input.width`. */
  readonly param: string
  readonly given: JsonValue
  /** The allowed values, worded to follow "must be". */
  readonly expected: string

  constructor(param: string, given: JsonValue, expected: string) {
    super(`The field \`${param}\` must be ${expected}.`)
    this.param = param
    this.given = given
    this.expected = expected
  }
}
