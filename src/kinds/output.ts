import type { MediaSettings, MediaSpec } from '../engine/assets/media-spec.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import { FILE_MARK, type Task } from '../engine/tasks/task.js'
import { Parameters } from './parameters.js'
import { kindNamed } from './registry.js'

/**
 * The `output` of a successful task.
 * @param urlOf returns the URL of a file, by its index
 */
export function outputOf(task: Task, urlOf: (file: number) => string): JsonObject | undefined {
  if (task.result === undefined) return undefined
  const { files, output } = task.result
  if (output === undefined) return kindNamed(task.baseKind)?.outputOf?.(files, urlOf)
  if (files === 0) return output
  let next = 0
  return fillMarks(output, () => urlOf(next++)) as JsonObject
}

/** The number of {@link FILE_MARK}s in an output. */
export function countMarks(value: JsonValue): number {
  if (typeof value === 'string') return value === FILE_MARK ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, inner) => sum + countMarks(inner), 0)
}

function fillMarks(value: JsonValue, nextUrl: () => string): JsonValue {
  if (value === FILE_MARK) return nextUrl()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => fillMarks(inner, nextUrl))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillMarks(inner, nextUrl)]))
}

/**
 * Reads the media that an input requests. The defaults are a PNG of 1024 x 1024 pixels, five seconds of silent video in
 * 720p and 16:9, and five seconds of MP3.
 * @returns undefined for a kind without media
 * @throws InputError if the model does not support a value and is not lenient
 */
export function readMediaSpec(
  kind: string,
  input: JsonObject,
  { lenient = false, limits = {} }: MediaSettings = {},
): MediaSpec | undefined {
  return kindNamed(kind)?.order?.(new Parameters(input, lenient), limits)
}
