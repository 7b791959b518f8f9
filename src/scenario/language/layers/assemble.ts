import { UsageError } from '../../../engine/errors.js'
import { suggest } from '../../../engine/suggest.js'
import type { ScenarioLayer } from '../../model/layer.js'
import type { Scenario } from '../../model/scenario.js'
import { excessOf, MOST_LAYERS } from '../check/limits.js'
import { ScenarioError } from '../check/mistake.js'
import { CATALOG, SHIPPED } from '../shipped.generated.js'
import { complete, extendLayer } from './complete.js'

/** A layer and how to call it in errors. */
export interface NamedLayer {
  readonly source: string
  readonly layer: ScenarioLayer
  /** As it was written. */
  readonly text?: string
  /** Where a field stands, where the layer comes from a text. */
  placeOf?(...path: PropertyKey[]): { readonly line: number; readonly column: number }
}

/**
 * Finds what a scenario extends.
 * @param name what stands behind `extends:`
 * @param from the source of the layer that says so
 * @returns undefined where it knows no such scenario
 */
export type FindLayer = (name: string, from: string) => NamedLayer | undefined

/**
 * Makes a whole scenario of a layer and all that it builds on; at the bottom is the model catalog.
 * @throws ScenarioError where it extends an unknown scenario, or itself
 */
export function assemble(name: string, top: NamedLayer, find: FindLayer = () => undefined): Scenario {
  const seen = [top.source]
  let merged = top.layer
  let current = top
  while (current.layer.extends !== undefined) {
    const next = lookUp(current, find)
    if (next === undefined) throw brokenExtends(current, suggest(current.layer.extends, Object.keys(SHIPPED)))
    if (seen.includes(next.source))
      throw brokenExtends(current, `it builds on itself: ${[...seen, next.source].join(' -> ')}`)
    seen.push(next.source)
    if (seen.length > MOST_LAYERS)
      throw brokenExtends(
        current,
        `more than ${MOST_LAYERS} scenarios build on one another; put some together`,
      )
    merged = extendLayer(merged, next.layer)
    current = next
  }
  checkSize(merged, top.source)
  return complete(name, merged, CATALOG, top.text)
}

/**
 * A scenario with a further layer on top of all that it was made of.
 * @throws ScenarioError where it becomes too large
 */
export function layered(name: string, upper: ScenarioLayer, { layer }: Scenario): Scenario {
  const merged = { ...extendLayer(upper, layer), description: upper.description ?? layer.description }
  checkSize(merged, name)
  return complete(name, merged, CATALOG, null)
}

/** A scenario with another layer in place of its own. */
export function relayered({ name }: Scenario, layer: ScenarioLayer, text: Scenario['text']): Scenario {
  return complete(name, layer, CATALOG, text)
}

function checkSize(merged: ScenarioLayer, source: string): void {
  const excess = excessOf(merged)
  if (excess === undefined) return
  const message = `with all that it builds on, ${excess}`
  throw new ScenarioError([{ source, path: '', message }])
}

function lookUp(named: NamedLayer, find: FindLayer): NamedLayer | undefined {
  const { source, layer } = named
  try {
    return find(layer.extends ?? '', source) ?? shippedLayer(layer.extends ?? '')
  } catch (error) {
    // What is wrong inside the other file is said with its own places; that it cannot be read, with this one's.
    const isUnreadable = error instanceof UsageError && !(error instanceof ScenarioError)
    throw isUnreadable ? brokenExtends(named, error.message) : error
  }
}

function shippedLayer(name: string): NamedLayer | undefined {
  const layer = Object.hasOwn(SHIPPED, name) ? SHIPPED[name] : undefined
  // Not the bare name, which a file or a text may have as well.
  return layer && { source: `shipped ${name}`, layer }
}

function brokenExtends(named: NamedLayer, why: string): ScenarioError {
  const message = `cannot build on ${JSON.stringify(named.layer.extends)}: ${why}`
  return new ScenarioError([
    { source: named.source, ...named.placeOf?.('extends'), path: 'extends', message },
  ])
}

/** The names of the scenarios that come with tasksim. */
export const SHIPPED_NAMES: readonly string[] = Object.keys(SHIPPED)

/**
 * A scenario that comes with tasksim.
 * @throws UsageError where there is none of this name
 */
export function shippedScenario(name: string): Scenario {
  const shipped = shippedLayer(name)
  if (shipped !== undefined) return assemble(name, shipped)
  throw new UsageError(
    `There is no shipped scenario ${JSON.stringify(name)}: ${suggest(name, SHIPPED_NAMES)}`,
  )
}
