import type { JsonObject } from '../../../engine/json.js'
import type { DialectTable } from '../dialect-table.generated.js'

/** The parameters of an input that decide the media, under the names of tasksim. */
export function mediaOptions({ options }: Pick<DialectTable, 'options'>, input: JsonObject): JsonObject {
  if (options === undefined) return input
  const values = Object.entries(options).map(([option, names = []]) => {
    const name = names.find((each) => Object.hasOwn(input, each) && input[each] !== null)
    return [option, name === undefined ? null : (input[name] ?? null)] as const
  })
  return { ...input, ...Object.fromEntries(values) }
}
