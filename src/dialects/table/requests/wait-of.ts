import type { JsonValue } from '../../../engine/json.js'

/** No answer is held longer, in milliseconds. */
const LONGEST_WAIT = 600_000

/** The milliseconds to hold an answer, from a number or a text; 0 for anything else. */
export function waitOf(value: JsonValue | undefined): number {
  const milliseconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return milliseconds > 0 ? Math.min(milliseconds, LONGEST_WAIT) : 0
}
