import { SHIPPED_NAMES } from '../../../core/scenario/assemble.js'
import { shippedText } from '../../../core/scenario/shipped-text.js'
import type { Simulator } from '../../../simulator.js'
import type { ScenarioShape } from '../shapes.js'

/** The scenario in force. */
export async function scenarioShape({ scenario }: Simulator): Promise<ScenarioShape> {
  const { name, description, text } = scenario
  return { name, description, text: text ?? (await shippedText(name)) ?? null, shipped: SHIPPED_NAMES }
}
