import { checkValue, type Flaw } from '../../scenario/check/check.js'
import { isMapping } from '../../scenario/mapping.js'
import type { DialectTable } from '../table/dialect-table.generated.js'
import { flawsOfTexts } from './check-texts.js'
import { dialectSchema } from './dialect-schema.js'

/** Checks the description of a dialect that was read from its file before, such as a saved one. */
export function checkTable(table: unknown): { value: DialectTable } | { flaws: Flaw[] } {
  const flaws = flawsOfTexts(table)
  if (flaws.length > 0) return { flaws }
  return checkValue(dialectSchema, isMapping(table) ? inFileForm(table) : table, true)
}

/** Undoes the conversions that change the form of a field. */
function inFileForm(table: Readonly<Record<string, unknown>>): unknown {
  const { hosts, operations } = table
  return {
    ...table,
    operations: byName(operations, ({ method, path, ...operation }) => [`${method} ${path}`, operation]),
    ...(hosts !== undefined && { hosts: byName(hosts, ({ origin, path }) => [`${origin}`, path]) }),
  }
}

function byName(
  list: unknown,
  entryOf: (item: Readonly<Record<string, unknown>>) => readonly [string, unknown],
): unknown {
  if (!Array.isArray(list) || !list.every(isMapping)) return null
  const mapping = Object.fromEntries(list.map(entryOf))
  return Object.keys(mapping).length === list.length ? mapping : null
}
