import { SHIPPED_NAMES, shippedText } from '../../scenario/language/shipped.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { placeholdersOf } from '../../scenario/secrets/placeholders.js'
import type { Simulator } from '../../simulator.js'
import type { ScenarioShape } from '../shapes.js'

const masked = new WeakMap<Scenario, Promise<string | null>>()

/** The scenario in force, with placeholders for its secrets. */
export async function scenarioShape({ scenario }: Simulator): Promise<ScenarioShape> {
  const { name, description } = scenario
  const text = masked.get(scenario) ?? maskedText(scenario)
  masked.set(scenario, text)
  return {
    name,
    description: placeholdersOf(scenario).hideIn(description),
    text: await text,
    shipped: SHIPPED_NAMES,
  }
}

async function maskedText(scenario: Scenario): Promise<string | null> {
  const { name, text = (await shippedText(name)) ?? null } = scenario
  const placeholders = placeholdersOf(scenario)
  if (text === null || placeholders.isEmpty) return text
  const { maskText } = await import('../../scenario/secrets/mask-text.js')
  return maskText(text, placeholders)
}
