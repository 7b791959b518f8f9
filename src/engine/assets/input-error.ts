import type { JsonValue } from '../json.js'

interface Details {
  /** The path of the invalid value, if it is a part of the field: `input.messages.0.role`. */
  readonly path?: string
  /** Further advice, which starts with a space. */
  readonly hint?: string
  /** Whether the field itself is missing. */
  readonly isMissing?: boolean
}

/** Thrown if an input has a value that its model does not support, or lacks a field. */
export class InputError extends Error {
  override readonly name = 'InputError'
  /** The invalid field, such as `input.width`. */
  readonly param: string
  readonly given: JsonValue | undefined
  /** The allowed values, worded to follow "must be". */
  readonly expected: string
  /** The path of the invalid value: the field, or a part of it. */
  readonly path: string
  /** Further advice, which starts with a space; empty if there is none. */
  readonly hint: string
  /** Whether the field is missing. */
  readonly isMissing: boolean

  constructor(
    param: string,
    given: JsonValue | undefined,
    expected: string,
    { path = param, hint = '', isMissing = false }: Details = {},
  ) {
    super(`The field \`${path}\` must be ${expected}.`)
    this.param = param
    this.given = given
    this.expected = expected
    this.path = path
    this.hint = hint
    this.isMissing = isMissing
  }
}
