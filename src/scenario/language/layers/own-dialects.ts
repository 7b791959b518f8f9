import type { DialectTable } from '../../../dialects/table/model/dialect-table.js'
import { UsageError } from '../../../engine/errors.js'
import { formatPath, type Mistake, ScenarioError } from '../check/mistake.js'
import type { NamedLayer } from './assemble.js'

/**
 * Reads the dialect files that a layer names.
 * @param read reads the file of a path in the layer; throws a UsageError if it cannot be used
 * @throws ScenarioError with every file that cannot be used, or with the mistakes in the first invalid one
 */
export function resolveDialects(named: NamedLayer, read: (path: string) => DialectTable): NamedLayer {
  const { source, layer, placeOf } = named
  if (layer.dialects === undefined) return named
  const mistakes: Mistake[] = []
  const dialects = Object.entries(layer.dialects).map(([name, settings]) => {
    if (settings.file === undefined) return [name, settings] as const
    try {
      return [name, { ...settings, table: withName(name, read(settings.file)) }] as const
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof ScenarioError) throw error
      const path = ['dialects', name, 'file']
      const message = `cannot use ${JSON.stringify(settings.file)} as a dialect: ${error.message}`
      mistakes.push({ source, ...placeOf?.(...path), path: formatPath(path), message })
      return [name, settings] as const
    }
  })
  if (mistakes.length > 0) throw new ScenarioError(mistakes)
  return { ...named, layer: { ...layer, dialects: Object.fromEntries(dialects) } }
}

function withName(name: string, table: DialectTable): DialectTable {
  if (table.name === name) return table
  throw new UsageError(
    `its \`name\` is ${JSON.stringify(table.name)}, but the scenario calls it ${JSON.stringify(name)}; use one name in both`,
  )
}
