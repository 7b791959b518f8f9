import { SHIPPED_NAMES } from '../../../core/scenario/assemble.js'
import type { Simulator } from '../../../simulator.js'
import type { ScenarioShape } from '../shapes.js'

/** The scenario in force; the texts of the shipped ones are loaded on first use. */
export async function scenarioShape({ scenario }: Simulator): Promise<ScenarioShape> {
  const { name, description, text } = scenario
  return { name, description, text: text ?? (await shippedText(name)) ?? null, shipped: SHIPPED_NAMES }
}

async function shippedText(name: string): Promise<string | undefined> {
  const { TEXTS } = await import('../../../core/scenario/shipped-texts.generated.js')
  return Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined
}
