import { UsageError } from '../engine/errors.js'
import { checkLayer, type Flaw, isScenarioLike, locateFlaws } from './check/check.js'
import { foreignFormat, foreignStart } from './check/foreign.js'
import { type Mistake, ScenarioError } from './check/mistake.js'
import { isMapping } from './mapping.js'
import type { ScenarioLayer } from './scenario.js'
import { extendsMessage } from './scenario-path.js'
import { readYaml } from './yaml/read-yaml.js'

/** A layer and its name in errors. */
export interface NamedLayer {
  readonly source: string
  readonly layer: ScenarioLayer
  /** The name of the scenario, if tasksim ships it. */
  readonly shipped?: string
  /** The source text. */
  readonly text?: string
  /** Finds the position of a field in the source text. */
  positionOf?(...path: PropertyKey[]): { readonly line: number; readonly column: number }
}

interface ParseOptions {
  /** Whether another scenario extends the file. The path may lead to any file, so errors must not quote the text. */
  readonly isExtended?: boolean
  /** Explains why there is no scenario with a name or path under `extends`; returns undefined if there is one. */
  readonly flawOfBase?: (base: string) => string | undefined
}

/**
 * Parses one scenario file, YAML or JSON, without the scenarios that it extends.
 * @param source its name in errors, such as its path
 * @throws ScenarioError with every mistake, its line and column; UsageError if an extended file is not a scenario
 * @internal
 */
export function parseLayer(
  text: string,
  source: string,
  { isExtended = false, flawOfBase = () => undefined }: ParseOptions = {},
): NamedLayer {
  const { value = {}, mistakes, positionOf, positionAt } = readYaml(text)
  const read = value ?? {}
  const foreign = mistakes.length > 0 ? foreignStart(text, source) : foreignFormat(read, source)
  if (isExtended && !isScenarioLike(read)) throw new UsageError(NOT_A_SCENARIO)
  if (foreign !== undefined) throw new ScenarioError([{ source, path: '', message: foreign }])
  if (mistakes.length > 0)
    throw firstOf(
      mistakes.map(({ offset, message }) => ({ source, ...positionAt(offset), path: '', message })),
    )
  const result = checkLayer(read)
  if ('layer' in result)
    return { source, layer: result.layer, text, positionOf: (...path) => positionOf(path, false) }
  throw locateFlaws([...result.flaws, ...extendsFlaws(read, flawOfBase)], source, positionOf)
}

/** A wrong `extends`, which is otherwise found only if there are no other mistakes. */
function extendsFlaws(value: unknown, flawOfBase: NonNullable<ParseOptions['flawOfBase']>): Flaw[] {
  const base = isMapping(value) ? value['extends'] : undefined
  if (typeof base !== 'string') return []
  const why = flawOfBase(base)
  return why === undefined ? [] : [{ path: ['extends'], atKey: false, message: extendsMessage(base, why) }]
}

const NOT_A_SCENARIO =
  'the file is not a scenario: expected YAML or JSON with fields such as `kinds`, `rules` or `webhooks`'

function firstOf(mistakes: readonly Mistake[]): ScenarioError {
  const order = ({ line = 0, column = 0 }: Mistake, other: Mistake) =>
    line - (other.line ?? 0) || column - (other.column ?? 0)
  return new ScenarioError([...mistakes].sort(order))
}
