import type { JsonValue } from '../../engine/json.js'
import type { FilterName } from '../table/template/filters.js'
import type { Operand } from '../table/template/parse.js'

type Undo = (value: JsonValue, args: readonly string[]) => JsonValue | undefined

/** What a filter was applied to, by its result, as far as a history needs it. */
const UNDO: { readonly [Name in FilterName]?: Undo } = {
  unix: (seconds) => (typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString() : undefined),
  no_zone: (time) => (typeof time === 'string' ? `${time}Z` : undefined),
  times: (product, [factor]) => numberOf(product, (value) => value / Number(factor)),
  plus: (sum, [more]) => numberOf(sum, (value) => value - Number(more)),
  map: (value, [from = '', to]) => (String(value) === to ? from : value),
  without: (value) => value,
  not_empty: (value) => value,
  round: (value) => value,
  number: (value) => value,
  text: (value) => value,
}

/** The value to which the filters of an operand were applied; undefined if it cannot be known. */
export function undoFilters({ filters }: Operand, result: JsonValue): JsonValue | undefined {
  return filters.reduceRight<JsonValue | undefined>(
    (value, { name, args }) => (value === undefined ? undefined : UNDO[name]?.(value, args)),
    result,
  )
}

function numberOf(value: JsonValue, compute: (value: number) => number): number | undefined {
  return typeof value === 'number' ? compute(value) : undefined
}
