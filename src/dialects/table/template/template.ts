import type { JsonValue } from '../../../engine/json.js'

/** JSON whose texts may contain placeholders such as `{{id}}`. */
export type Template = JsonValue
/** A text that may contain placeholders. */
export type TextTemplate = string
