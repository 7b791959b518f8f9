import { UsageError } from '../../engine/errors.js'
import type { ScenarioSource } from '../../engine/scenario/scenario.js'
import { suggest } from '../../engine/suggest.js'
import { excessOf, MAX_LAYERS } from '../check/limits.js'
import { formatPath, ScenarioError } from '../check/mistake.js'
import { kindsKnownTo, unknownKinds } from '../check/unknown-kinds.js'
import type { NamedLayer } from '../parse-layer.js'
import type { Scenario, ScenarioLayer } from '../scenario.js'
import { extendsMessage, isScenarioPath } from '../scenario-path.js'
import { CATALOG, SHIPPED } from '../shipped.generated.js'
import { complete, extendLayer, sourceOf } from './complete.js'

/**
 * Finds the scenario that another one extends.
 * @param name the value of `extends`
 * @param from the source of the layer with this `extends`
 * @returns undefined if it does not know the scenario
 */
export type FindLayer = (name: string, from: string) => NamedLayer | undefined

/**
 * Builds a complete scenario from a layer and the layers that it extends.
 * @throws ScenarioError if a layer extends an unknown scenario or itself, or mentions an unknown kind, or if the
 * scenario is too large
 */
export function assemble(name: string, top: NamedLayer, find: FindLayer = () => undefined): Scenario {
  const layers = [top]
  const seen = [top.source]
  let merged = top.layer
  let current = top
  while (current.layer.extends !== undefined) {
    const next = findBase(current, find)
    if (next === undefined) throw extendsError(current, unknownBase(current.layer.extends))
    if (seen.includes(next.source))
      throw extendsError(current, `it extends itself: ${[...seen, next.source].join(' -> ')}`)
    seen.push(next.source)
    if (seen.length > MAX_LAYERS)
      throw extendsError(current, `the chain has more than ${MAX_LAYERS} scenarios; combine some of them`)
    layers.push(next)
    merged = extendLayer(merged, next.layer)
    current = next
  }
  checkKinds(layers, kindsKnownTo(merged))
  checkSize(merged, top.source)
  return complete(name, merged, CATALOG, top.text, layers.map(sourceOfNamed))
}

/**
 * Adds a layer on top of a scenario.
 * @throws ScenarioError if the layer mentions an unknown kind, or if the result is too large
 */
export function addLayer(name: string, named: NamedLayer, { layer, sources, recorded }: Scenario): Scenario {
  const { layer: upper } = named
  const merged = { ...extendLayer(upper, layer), description: upper.description ?? layer.description }
  checkKinds([named], kindsKnownTo(merged))
  checkSize(merged, name)
  return { ...complete(name, merged, CATALOG, null, sourcesWith(sourceOf(name, upper), sources)), recorded }
}

function sourceOfNamed({ source, layer, shipped, positionOf }: NamedLayer): ScenarioSource {
  const named = sourceOf(shipped ?? source, layer, shipped !== undefined)
  if (positionOf === undefined) return named
  const linesOf = (length: number, ...path: string[]) =>
    Array.from({ length }, (_, index) => positionOf(...path, index).line)
  const { rules, faults, 'webhooks.faults': webhookFaults } = named.lengths
  const lines = {
    rules: linesOf(rules, 'rules'),
    faults: linesOf(faults, 'faults'),
    'webhooks.faults': linesOf(webhookFaults, 'webhooks', 'faults'),
  }
  return { ...named, lines }
}

/** Adds a layer to the sources of a scenario. All changes of a scenario together are one source. */
function sourcesWith(added: ScenarioSource, sources: readonly ScenarioSource[]): ScenarioSource[] {
  const [first, ...rest] = sources
  if (first === undefined || first.isShipped || first.name !== added.name) return [added, ...sources]
  const lengths = {
    rules: added.lengths.rules + first.lengths.rules,
    faults: added.lengths.faults + first.lengths.faults,
    'webhooks.faults': added.lengths['webhooks.faults'] + first.lengths['webhooks.faults'],
  }
  return [{ ...first, lengths, lines: undefined }, ...rest]
}

/** Replaces the layer of a scenario. */
export function replaceLayer(
  { name, sources }: Pick<Scenario, 'name'> & Partial<Pick<Scenario, 'sources'>>,
  layer: ScenarioLayer,
  text: Scenario['text'],
): Scenario {
  return complete(name, layer, CATALOG, text, sources)
}

/** Checks the kinds that layers mention, once all layers are known that may define them. */
function checkKinds(layers: readonly NamedLayer[], known: readonly string[]): void {
  const mistakes = layers.flatMap(({ source, layer, positionOf }) =>
    unknownKinds(layer, known).map(({ path, message }) => ({
      source,
      ...positionOf?.(...path),
      path: formatPath(path),
      message,
    })),
  )
  if (mistakes.length > 0) throw new ScenarioError(mistakes)
}

function checkSize(merged: ScenarioLayer, source: string): void {
  const excess = excessOf(merged)
  if (excess === undefined) return
  const message = `with the scenarios that it extends, ${excess}`
  throw new ScenarioError([{ source, path: '', message }])
}

function findBase(named: NamedLayer, find: FindLayer): NamedLayer | undefined {
  const { source, layer } = named
  try {
    return find(layer.extends ?? '', source) ?? shippedLayer(layer.extends ?? '')
  } catch (error) {
    // Mistakes inside the other file have positions in that file. An unreadable file is a mistake of this `extends`.
    const isUnreadable = error instanceof UsageError && !(error instanceof ScenarioError)
    throw isUnreadable ? extendsError(named, error.message) : error
  }
}

/** The layer of a scenario that tasksim ships; undefined if it ships none with the name. */
export function shippedLayer(name: string): NamedLayer | undefined {
  const layer = Object.hasOwn(SHIPPED, name) ? SHIPPED[name] : undefined
  // A file may have the same name, so errors name this source `shipped NAME`.
  return layer && { source: `shipped ${name}`, layer, shipped: name }
}

/** Explains why there is no shipped scenario with a name; undefined if there is one, or the name is a path. */
export function flawOfShipped(name: string): string | undefined {
  return isScenarioPath(name) || shippedLayer(name) !== undefined ? undefined : unknownBase(name)
}

function unknownBase(name: string): string {
  return suggest(name, Object.keys(SHIPPED))
}

function extendsError(named: NamedLayer, why: string): ScenarioError {
  const message = extendsMessage(named.layer.extends, why)
  return new ScenarioError([
    { source: named.source, ...named.positionOf?.('extends'), path: 'extends', message },
  ])
}
