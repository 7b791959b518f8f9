import type { Kinds } from '../engine/tasks/kinds.js'
import { outputOf } from './output.js'
import { produce } from './produce.js'
import { readMediaSpec } from './read-media-spec.js'
import { KINDS, kindNamed } from './registry.js'

/** The kinds of the registry, as the engine uses them. */
export const builtInKinds: Kinds = {
  guess: (input) => (KINDS.findLast((kind) => kind.recognizes?.(input)) ?? KINDS[0]).name,
  check: (kind, input, isLenient) => kindNamed(kind)?.check?.(input, isLenient),
  order: readMediaSpec,
  produce,
  outputOf,
}
