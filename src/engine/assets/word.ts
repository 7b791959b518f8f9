import type { JsonValue } from '../json.js'

/** A longer text is no word of any list. */
const LONGEST_WORD = 100

/** A word in lower case; empty for what is none, so that a text of megabytes is not converted to be compared. */
export function wordIn(value: JsonValue): string {
  return typeof value === 'string' && value.length <= LONGEST_WORD ? value.toLowerCase() : ''
}
