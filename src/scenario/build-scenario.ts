import type { ReceiverSettings } from '../engine/webhooks/receivers/receiver.js'
import { checkLayer, checkValue } from './check/check.js'
import { excessOf } from './check/limits.js'
import { formatPath, MAX_MISTAKES, ScenarioError } from './check/mistake.js'
import { assemble } from './layers/assemble.js'
import { receiverSettings } from './layers/complete.js'
import { keepPath, resolveFiles } from './layers/own-files.js'
import { isMapping } from './mapping.js'
import type { Scenario, ScenarioLayer } from './scenario.js'
import type { ScenarioInput } from './scenario-input.generated.js'
import { receiver } from './schema/webhook.js'

/**
 * Builds a scenario from an object in code.
 * @throws ScenarioError with every mistake
 */
export function buildScenario(input: ScenarioInput, source = 'inline'): Scenario {
  const layer = checkedLayer(input, source)
  return assemble(source, resolveFiles({ source, layer, text: JSON.stringify(input, null, 2) }, keepPath))
}

/**
 * Checks one layer that is an object in code.
 * @param isPart whether another layer may define kinds for it; by default, if it extends one
 * @throws ScenarioError with every mistake
 */
export function checkedLayer(input: ScenarioInput, source: string, isPart?: boolean): ScenarioLayer {
  const excess = excessOf(input)
  if (excess !== undefined) throw new ScenarioError([{ source, path: '', message: excess }])
  const result = checkLayer(withoutUndefined(input), isPart)
  if ('layer' in result) return result.layer
  const first = result.flaws.slice(0, MAX_MISTAKES)
  throw new ScenarioError(
    first.map(({ path, message }) => ({ source, path: formatPath(path), message })),
    result.flaws.length - first.length,
  )
}

/** Removes undefined fields, which must not override a lower layer. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isMapping(value)) return value
  const defined = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(defined.map(([key, inner]) => [key, withoutUndefined(inner)]))
}

/** Checks a receiver of a request. Returns its settings, or the first mistake. */
export function readReceiver(
  value: unknown,
): { receiver: ReceiverSettings } | { flaw: { path: string; message: string } } {
  const result = checkValue(receiver, value)
  if ('value' in result) return { receiver: receiverSettings(result.value) }
  const [flaw] = result.flaws
  return { flaw: { path: formatPath(flaw?.path ?? []), message: flaw?.message ?? '' } }
}
