import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { hasPath } from '../has-path.js'
import { leafPaths } from '../leaf-paths.js'
import type { DialectTable, StatusVariant } from '../table/model/dialect-table.js'
import { allTables } from '../table/tasks/objects.js'
import { GUARD } from '../table/template/compile.js'
import { parseText } from '../table/template/parse.js'

/**
 * The code of an error in the words of scenarios.
 * @param shown the code that the answer shows
 * @param word the word of the state, which may depend on the code
 */
export function failureCode(
  table: DialectTable,
  answer: JsonObject,
  { shown, word }: { readonly shown: string | undefined; readonly word: unknown },
): string | undefined {
  for (const { statuses } of allTables(table)) {
    const { codes = {}, by_error: words = {}, variants = [] } = statuses.failed
    const variant = variants.find((each) => isOf(each, answer, word))
    const code =
      nameOf(codes, shown) ?? nameOf(words, word) ?? (variant === undefined ? undefined : codeOf(variant))
    if (code !== undefined) return code
  }
  return shown
}

function nameOf(values: Readonly<Record<string, string>>, value: unknown): string | undefined {
  return Object.keys(values).find((name) => values[name] === value)
}

/** Whether a task has the form of a variant: its word, or its fields if the service has no words. */
function isOf({ word, fields = {} }: StatusVariant, answer: JsonObject, shown: unknown): boolean {
  if (typeof shown === 'string') return shown === word
  const paths = leafPaths(fields, (mapping) => Object.hasOwn(mapping, GUARD))
  return paths.length > 0 && paths.every((path) => hasPath(answer, path))
}

/** The code for which a variant is, if its condition is `{{error.code | equals CODE}}`. */
function codeOf({ if: condition }: StatusVariant): string | undefined {
  const [part] = parseText(condition)
  const [operand] = typeof part === 'object' ? part : []
  const { value, filters = [] } = operand ?? {}
  const [filter] = filters
  const isCode = isJsonObject(value) && value['name'] === 'error' && filter?.name === 'equals'
  return isCode ? filter.args[0] : undefined
}
