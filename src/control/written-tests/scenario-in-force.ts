import { globMatcher } from '../../engine/scenario/glob.js'
import { LOCAL_KEY } from '../../http/api-key.js'
import type { Scenario } from '../../scenario/scenario.js'
import { placeholdersOf } from '../../scenario/secrets/placeholders.js'
import { SHIPPED_NAMES } from '../../scenario/shipped.js'
import type { TestScenario } from './test-plan.js'

/** A scenario for a test, and the API key that stands in it for the key of the client. */
export interface ScenarioInForce {
  readonly scenario: TestScenario
  readonly key: string
}

/** Stands for a scenario that has no text. */
export const DEFAULT_IN_FORCE: ScenarioInForce = { scenario: { name: 'default' }, key: LOCAL_KEY }

/**
 * The scenario of a simulator without its secrets: each API key and signing secret becomes another one.
 * @param owner the API key of the client; empty if none was accepted
 * @returns undefined if the scenario has no text: it was patched, or it is a recording
 */
export async function scenarioInForce(
  scenario: Scenario,
  owner: string,
): Promise<ScenarioInForce | undefined> {
  const { name, text, recorded } = scenario
  if (text === null || recorded !== undefined) return undefined
  if (text === undefined) {
    if (!SHIPPED_NAMES.includes(name)) return undefined
    return { scenario: { name }, key: keyFor(owner, scenario) }
  }
  const placeholders = placeholdersOf(scenario)
  if (placeholders.isEmpty) return { scenario: { name, text }, key: keyFor(owner, scenario) }
  const { maskText } = await import('../../scenario/secrets/mask-text.js')
  const substitutes = new Map<string, string>()
  let shown = maskText(text, placeholders)
  const secrets = [...placeholders.secretsIn(scenario.layer)]
  const byLength = secrets.map((secret) => ({ secret, placeholder: placeholders.of(secret) ?? secret }))
  byLength.sort((a, b) => b.placeholder.length - a.placeholder.length)
  for (const { secret, placeholder } of byLength) {
    const substitute = `secret_for_tests_${substitutes.size + 1}`
    substitutes.set(secret, substitute)
    shown = shown.replaceAll(placeholder, substitute)
  }
  return { scenario: { name, text: shown }, key: substitutes.get(owner) ?? keyFor(owner, scenario) }
}

/** A key that the scenario treats like that of the client. */
function keyFor(owner: string, { layer }: Scenario): string {
  const pattern = keyPatterns(layer).find((each) => globMatcher(each)(owner))
  return pattern === undefined ? LOCAL_KEY : pattern.replaceAll('*', 'for_tests')
}

/** The patterns of keys at any place of a scenario. */
function keyPatterns(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'key' && typeof each === 'string' && each.includes('*') ? [each] : keyPatterns(each),
  )
}
