import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { EXTENSIONS, extensionOf } from '../../engine/assets/asset.js'
import { UsageError } from '../../engine/errors.js'
import { foreignStart } from '../../scenario/check/foreign.js'
import { MAX_CHARACTERS, tooLong } from '../../scenario/check/limits.js'
import { formatPath, type Mistake, ScenarioError } from '../../scenario/check/mistake.js'
import { assemble, flawOfShipped } from '../../scenario/layers/assemble.js'
import { type LookUp, resolveFiles } from '../../scenario/layers/own-files.js'
import { type NamedLayer, parseLayer } from '../../scenario/parse-layer.js'
import type { Scenario } from '../../scenario/scenario.js'
import { isScenarioPath } from '../../scenario/scenario-path.js'
import { SHIPPED_NAMES } from '../../scenario/shipped.js'
import { readDialectFile } from '../dialects/dialect-file.js'
import { readTextFile, startOfFile } from './read-file.js'

/** A scenario and the files from which it was read. */
export interface ScenarioFile {
  readonly scenario: Scenario
  /** Absolute paths; the scenario file comes first. */
  readonly files: readonly string[]
}

/**
 * Reads a scenario file, the files that it extends, and the dialect files that they name.
 * @param onFile called with every file, even if it cannot be read
 * @throws UsageError if a file cannot be read; ScenarioError with every mistake
 */
export function readScenarioFile(path: string, onFile: (file: string) => void = () => {}): ScenarioFile {
  const files: string[] = []
  let characters = 0
  const read = (file: string): NamedLayer => {
    files.push(resolve(file))
    onFile(resolve(file))
    const text = readScenarioText(file)
    const isExtended = file !== path
    characters += text.length
    if (isExtended && characters > MAX_CHARACTERS) throw new UsageError(tooLong(characters))
    const flawOfBase = (name: string) =>
      isScenarioPath(name) ? whyUnreadable(relative('.', resolve(dirname(file), name))) : flawOfShipped(name)
    const layer = resolveFiles(parseLayer(text, file, { isExtended, flawOfBase }), outputFileLookUp(file))
    return resolveDialects(layer, (name) => readDialect(relative('.', resolve(dirname(file), name))))
  }
  const readDialect = (file: string): DialectTable => {
    files.push(resolve(file))
    onFile(resolve(file))
    return readDialectFile(file)
  }
  const scenario = assemble(path, read(path), (name, from) => {
    // A name that looks like a path is relative to the file that extends it. Any other name is a shipped scenario.
    if (!isScenarioPath(name)) return undefined
    return read(relative('.', resolve(dirname(from), name)))
  })
  return { scenario, files }
}

/**
 * Reads the text of a scenario file.
 * @throws UsageError if it cannot be read
 */
export function readScenarioText(path: string): string {
  const foreign = foreignStart(startOfFile(path), path)
  if (foreign !== undefined) throw new UsageError(`Cannot read the scenario ${path}: ${foreign}.`)
  return readTextFile(path, 'scenario', KNOWN)
}

function whyUnreadable(path: string): string | undefined {
  try {
    readScenarioText(path)
    return undefined
  } catch (error) {
    return error instanceof UsageError ? error.message : undefined
  }
}

const KNOWN = `a shipped scenario: ${SHIPPED_NAMES.join(', ')}`

/**
 * Resolves the paths of output files in a scenario file. The path of a folder stands for its visible files, sorted by
 * name. All files must be inside the folder of the scenario file.
 */
function outputFileLookUp(scenarioFile: string): LookUp {
  const root = realpathSync(dirname(resolve(scenarioFile)))
  return (path) => {
    const real = realPath(resolve(root, path), path)
    requireInside(root, real, path)
    if (!statSync(real).isDirectory()) return [requireKnownType(real, path)]
    const names = readdirSync(real).filter((name) => !name.startsWith('.'))
    const files = names.sort().map((name) => {
      const file = realPath(join(real, name), name)
      // A symbolic link must not lead out of the folder.
      requireInside(real, file, name)
      return requireKnownType(file, name)
    })
    if (files.length === 0) throw new UsageError('the folder is empty')
    return files
  }
}

function realPath(path: string, name: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw new UsageError(`${name} does not exist; paths are relative to the scenario file`)
  }
}

function requireInside(folder: string, file: string, name: string): void {
  const path = relative(folder, file)
  if (path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path)
    throw new UsageError(`${name} is outside the folder of the scenario file; copy it into the folder`)
}

function requireKnownType(file: string, name: string): string {
  if (!statSync(file).isFile()) throw new UsageError(`${name} is not a file`)
  if (EXTENSIONS.includes(extensionOf(file))) return file
  const endings = EXTENSIONS.map((ending) => `.${ending}`).join(', ')
  throw new UsageError(`${name} has an unknown type; expected one of ${endings}`)
}

/**
 * Reads the dialect files that a layer names.
 * @param read reads the file of a path in the layer; throws a UsageError if it cannot be used
 * @throws ScenarioError with every file that cannot be used, or with the mistakes in the first invalid one
 */
function resolveDialects(named: NamedLayer, read: (path: string) => DialectTable): NamedLayer {
  const { source, layer, positionOf } = named
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
      mistakes.push({ source, ...positionOf?.(...path), path: formatPath(path), message })
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
