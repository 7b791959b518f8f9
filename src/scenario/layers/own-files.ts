import { EXTENSIONS, extensionOf } from '../../engine/assets/asset.js'
import { UsageError } from '../../engine/errors.js'
import { formatPath, type Mistake, ScenarioError } from '../check/mistake.js'
import type { NamedLayer } from '../parse-layer.js'
import type { ScenarioLayer } from '../scenario.js'

/**
 * Finds the files of a path in a scenario.
 * @returns the paths of the files to read
 * @throws UsageError if there are no files, or if their format is not supported
 */
export type LookUp = (path: string) => readonly string[]

type FileHolder = { readonly files?: readonly string[] | undefined }

/**
 * Replaces the paths under `files` with the paths of single files.
 * @throws ScenarioError with every path without files
 */
export function resolveFiles(named: NamedLayer, lookUp: LookUp): NamedLayer {
  const mistakes: Mistake[] = []
  const find = (file: string, path: PropertyKey[]): readonly string[] => {
    try {
      return lookUp(file)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const message = `cannot use ${JSON.stringify(file)} as an output: ${error.message}`
      mistakes.push({ source: named.source, ...named.positionOf?.(...path), path: formatPath(path), message })
      return []
    }
  }
  const layer = mapFileHolders(named.layer, (holder, path) =>
    holder.files === undefined
      ? holder
      : { ...holder, files: holder.files.flatMap((file) => find(file, [...path, 'files'])) },
  )
  if (mistakes.length > 0) throw new ScenarioError(mistakes)
  return { ...named, layer }
}

/** Accepts only the path of a single file, because a scenario that is not a file has no folder to search. */
export const keepPath: LookUp = (path) => {
  if (EXTENSIONS.includes(extensionOf(path))) return [path]
  throw new UsageError(
    `expected the path of a file that ends in one of ${EXTENSIONS.map((ending) => `.${ending}`).join(', ')}; ` +
      'only a scenario file that tasksim reads itself can name a folder',
  )
}

/** Whether a layer refers to files of the machine. */
export function namesFiles(layer: ScenarioLayer): boolean {
  return filesIn(layer).length > 0
}

/** The paths of the files of the machine to which a layer refers. */
export function filesIn(layer: ScenarioLayer): readonly string[] {
  const found: string[] = []
  mapFileHolders(layer, (holder) => {
    found.push(...(holder.files ?? []))
    return holder
  })
  return found
}

/** Copies a layer, and changes each of its parts that may have `files`. */
function mapFileHolders(
  { defaults, kinds, models, rules, ...rest }: ScenarioLayer,
  change: <Holder extends FileHolder>(holder: Holder, path: PropertyKey[]) => Holder,
): ScenarioLayer {
  const each = <Holders extends object>(holders: Holders, ...path: PropertyKey[]): Holders =>
    Object.fromEntries(
      Object.entries(holders).map(([name, holder]) => [name, holder && change(holder, [...path, name])]),
    ) as Holders
  return {
    ...rest,
    ...(defaults && { defaults: change(defaults, ['defaults']) }),
    ...(kinds && { kinds: each(kinds, 'kinds') }),
    ...(models && { models: each(models, 'models') }),
    ...(rules && {
      rules: rules.map((rule, index) => ({ ...rule, then: change(rule.then, ['rules', index, 'then']) })),
    }),
  }
}
