import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

const SCHEMA = 'node_modules/tasksim/dist/scenario.schema.json'

/**
 * Where an editor finds the JSON Schema, as seen from a scenario file: in the nearest folder above it that has
 * tasksim installed, or else in the current one, which may have it some day.
 */
export function schemaPlace(file: string): string {
  const folder = dirname(resolve(file))
  const home = foldersAbove(folder).find((above) => existsSync(join(above, SCHEMA))) ?? process.cwd()
  const way = relative(folder, join(home, SCHEMA)).split(sep).join('/')
  return way.startsWith('.') ? way : `./${way}`
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersAbove(above)]
}
