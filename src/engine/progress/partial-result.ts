import type { JsonObject, JsonValue } from '../json.js'
import type { Production } from '../tasks/kinds.js'
import type { Result } from '../tasks/task.js'
import type { OutputParts } from './output-parts.js'

/**
 * The result of a task as far as its parts are ready: the first files, or the beginning of the text.
 * @param ready the number of these parts
 * @returns undefined if no part is ready, or if the scenario replaces the output of files
 */
export function partialResult(
  { result, text = '' }: Production,
  parts: OutputParts,
  ready: number,
): Result | undefined {
  if (ready === 0) return undefined
  if (parts.files > 0) return result.output === undefined ? { files: ready, output: undefined } : undefined
  const beginning = parts.pieces.slice(0, ready).join('')
  return result.output && { files: 0, output: withText(result.output, text, beginning) }
}

/** Replaces a text in an output. */
function withText<Value extends JsonValue | JsonObject>(value: Value, text: string, other: string): Value {
  if (value === text) return other as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => withText(inner, text, other)) as Value
  const fields = Object.entries(value as JsonObject)
  return Object.fromEntries(fields.map(([name, inner]) => [name, withText(inner, text, other)])) as Value
}
