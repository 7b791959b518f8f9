import type { JsonObject, JsonValue } from '../json.js'
import { FILE_MARK, type Kind, type Task } from './task.js'

/**
 * The `output` of a successful task.
 * @param urlOf returns the URL of a file, by its index
 */
export function outputOf(task: Task, urlOf: (file: number) => string): JsonObject | undefined {
  if (task.result === undefined) return undefined
  const { files, output } = task.result
  if (output === undefined) return defaultOutput(task.kind, files, urlOf)
  if (files === 0) return output
  let next = 0
  return fillMarks(output, () => urlOf(next++)) as JsonObject
}

function defaultOutput(kind: Kind, files: number, urlOf: (file: number) => string): JsonObject {
  return kind === 'image'
    ? { images: Array.from({ length: files }, (_, file) => urlOf(file)) }
    : { [kind]: urlOf(0) }
}

function fillMarks(value: JsonValue, nextUrl: () => string): JsonValue {
  if (value === FILE_MARK) return nextUrl()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => fillMarks(inner, nextUrl))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillMarks(inner, nextUrl)]))
}
