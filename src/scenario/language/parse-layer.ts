import { UsageError } from '../../engine/errors.js'
import { checkLayer, isScenarioLike } from './check/check.js'
import { type Mistake, ScenarioError } from './check/mistake.js'
import { placeFlaws } from './check/place-flaws.js'
import type { NamedLayer } from './layers/assemble.js'
import { readYaml } from './yaml/read-yaml.js'

export interface ParseOptions {
  /** Whether another scenario extends the file. The path may lead to any file, so errors must not quote the text. */
  readonly isExtended?: boolean
}

/**
 * Parses one scenario file, YAML or JSON, without the scenarios that it extends.
 * @param source its name in errors, such as its path
 * @throws ScenarioError with every mistake, its line and column; UsageError if an extended file is not a scenario
 */
export function parseLayer(
  text: string,
  source: string,
  { isExtended = false }: ParseOptions = {},
): NamedLayer {
  const { value = {}, mistakes, placeOf, placeAt } = readYaml(text)
  const read = value ?? {}
  if (isExtended && !isScenarioLike(read)) throw new UsageError(NOT_A_SCENARIO)
  if (mistakes.length > 0)
    throw firstOf(mistakes.map(({ offset, message }) => ({ source, ...placeAt(offset), path: '', message })))
  const result = checkLayer(read)
  if ('layer' in result)
    return { source, layer: result.layer, text, placeOf: (...path) => placeOf(path, false) }
  throw placeFlaws(result.flaws, source, placeOf)
}

const NOT_A_SCENARIO =
  'the file is not a scenario: expected YAML or JSON with fields such as `kinds`, `rules` or `webhooks`'

function firstOf(mistakes: readonly Mistake[]): ScenarioError {
  const order = ({ line = 0, column = 0 }: Mistake, other: Mistake) =>
    line - (other.line ?? 0) || column - (other.column ?? 0)
  return new ScenarioError([...mistakes].sort(order))
}
