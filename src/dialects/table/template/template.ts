import type { JsonValue } from '../../../engine/json.js'

/** JSON whose strings may contain placeholders such as `{{id}}`. */
export type Template = JsonValue
/** A string that may contain placeholders. */
export type TextTemplate = string
