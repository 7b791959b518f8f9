import { EXTENSIONS, extensionOf } from '../../../engine/assets/asset.js'
import { UsageError } from '../../../engine/errors.js'
import type { ScenarioLayer } from '../../model/layer.js'
import { formatPath, type Mistake, ScenarioError } from '../check/mistake.js'
import type { NamedLayer } from './assemble.js'

/**
 * Finds the files behind a path that a scenario names.
 * @returns the paths by which they can be read
 * @throws UsageError where there are none, or they cannot be handed out
 */
export type LookUp = (path: string) => readonly string[]

type Holder = { readonly files?: readonly string[] | undefined }

/**
 * Replaces the paths under `files` by those of the files that they lead to.
 * @throws ScenarioError with every path that leads to none
 */
export function resolveFiles(named: NamedLayer, lookUp: LookUp): NamedLayer {
  const mistakes: Mistake[] = []
  const find = (file: string, path: PropertyKey[]): readonly string[] => {
    try {
      return lookUp(file)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const message = `cannot hand out ${JSON.stringify(file)}: ${error.message}`
      mistakes.push({ source: named.source, ...named.placeOf?.(...path), path: formatPath(path), message })
      return []
    }
  }
  const layer = mapHolders(named.layer, (holder, path) =>
    holder.files === undefined
      ? holder
      : { ...holder, files: holder.files.flatMap((file) => find(file, [...path, 'files'])) },
  )
  if (mistakes.length > 0) throw new ScenarioError(mistakes)
  return { ...named, layer }
}

/** Takes every path for that of a file, as those of a scenario that is no file itself: it has no folder. */
export const asItIs: LookUp = (path) => {
  if (EXTENSIONS.includes(extensionOf(path))) return [path]
  throw new UsageError(
    `expected the path of a file that ends in one of ${EXTENSIONS.map((ending) => `.${ending}`).join(', ')}; ` +
      'a folder can be named only in a scenario file that tasksim itself reads',
  )
}

/** Whether files of the machine stand anywhere in a layer. */
export function namesFiles(layer: ScenarioLayer): boolean {
  let isSo = false
  mapHolders(layer, (holder) => {
    isSo ||= holder.files !== undefined
    return holder
  })
  return isSo
}

/** A layer in which every place that may name files is replaced by what `change` makes of it. */
function mapHolders(
  { defaults, kinds, models, rules, ...rest }: ScenarioLayer,
  change: <Place extends Holder>(holder: Place, path: PropertyKey[]) => Place,
): ScenarioLayer {
  const each = <Places extends object>(places: Places, ...path: PropertyKey[]): Places =>
    Object.fromEntries(
      Object.entries(places).map(([name, place]) => [name, place && change(place, [...path, name])]),
    ) as Places
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
