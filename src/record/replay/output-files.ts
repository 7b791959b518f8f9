import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { FILE_MARK } from '../../engine/tasks/task.js'
import { bareUrl } from './rewrite.js'

/** An output with a placeholder for each file, and the URLs of the files, without query and fragment. */
export interface MarkedOutput {
  readonly output: JsonObject
  readonly files: readonly string[]
}

/**
 * Finds the files in an output: all URLs that are not in the input.
 * @param input the JSON of the input
 */
export function markFiles(output: JsonObject, input: string): MarkedOutput {
  const files: string[] = []
  const mark = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') {
      if (!/^https?:\/\//.test(value) || input.includes(JSON.stringify(value))) return value
      files.push(bareUrl(value))
      return FILE_MARK
    }
    if (Array.isArray(value)) return value.map(mark)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mark(inner)]))
  }
  return { output: mark(output) as JsonObject, files }
}
