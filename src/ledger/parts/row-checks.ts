import type { Dialects } from '../../dialects/dialects.js'
import { suggest } from '../../engine/suggest.js'
import type { SavedRow } from '../state-part.js'

/**
 * Loads the dialects that rows name.
 * @param nameIn returns the name in the value of a row
 * @throws Error if there is no such dialect
 */
export async function loadDialects<Value>(
  dialects: Dialects,
  rows: readonly SavedRow<Value>[],
  field: string,
  nameIn: (value: Value) => string | undefined,
): Promise<void> {
  const known = new Set<string>()
  for (const { value } of rows) {
    const name = nameIn(value)
    if (name === undefined || known.has(name)) continue
    if (!dialects.names.includes(name))
      throw new Error(
        `\`${field}\` must name a dialect, got ${JSON.stringify(name.slice(0, 100))}: ${suggest(name, dialects.names)}, or a dialect of your own that the simulator has`,
      )
    await dialects.load(name)
    known.add(name)
  }
}

/** Why a row cannot be used whose field must differ from those of all other rows. */
export function differs(field: string, value: string): string {
  return `\`${field}\` must differ from those of other rows, got ${JSON.stringify(value.slice(0, 100))}`
}
