import type { Yaml } from '../yaml/read-yaml.js'
import type { Flaw } from './check.js'
import { formatPath, MAX_MISTAKES, type Mistake, ScenarioError } from './mistake.js'

/**
 * Places mistakes in a text, in its order. A mistake below an anchor is one mistake, although each alias repeats it.
 * @param source the name of the text in errors
 */
export function placeFlaws(flaws: readonly Flaw[], source: string, placeOf: Yaml['placeOf']): ScenarioError {
  const placed = flaws.map((flaw) => ({ flaw, place: placeOf(flaw.path, flaw.atKey) }))
  placed.sort(({ place: one }, { place: other }) => one.line - other.line || one.column - other.column)
  const seen = new Set<string>()
  const mistakes: Mistake[] = []
  for (const [index, { flaw, place }] of placed.entries()) {
    if (mistakes.length === MAX_MISTAKES) return new ScenarioError(mistakes, placed.length - index)
    const key = `${place.line}:${place.column}:${flaw.message}`
    if (seen.has(key)) continue
    seen.add(key)
    mistakes.push({ source, ...place, path: formatPath(flaw.path), message: flaw.message })
  }
  return new ScenarioError(mistakes)
}
