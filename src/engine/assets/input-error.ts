import type { JsonValue } from '../json.js'

/** An input asks for something that its model cannot make. */
export class InputError extends Error {
  override readonly name = 'InputError'
  /** The field at fault, such as `input.width`. */
  readonly param: string
  readonly given: JsonValue
  /** What it may be, to follow on "must be". */
  readonly expected: string

  constructor(param: string, given: JsonValue, expected: string) {
    super(`The field \`${param}\` must be ${expected}.`)
    this.param = param
    this.given = given
    this.expected = expected
  }
}
