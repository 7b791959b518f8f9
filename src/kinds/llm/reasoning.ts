import type { JsonObject } from '../../engine/json.js'
import type { Random } from '../../engine/random.js'

/** The average number of reasoning tokens by effort. */
const EFFORTS: ReadonlyMap<unknown, number> = new Map([
  ['none', 0],
  ['minimal', 24],
  ['low', 160],
  ['medium', 640],
  ['high', 2_560],
  ['xhigh', 10_240],
])

/** The average for any other effort. The service does not specify the values. */
const DEFAULT_TOKENS = 640

/** Draws the number of reasoning tokens: 50% to 150% of the average for the effort. */
export function reasoningTokens(
  { reasoning_effort: effort }: JsonObject,
  random: Random,
): number | undefined {
  if (typeof effort !== 'string') return undefined
  return Math.round((EFFORTS.get(effort) ?? DEFAULT_TOKENS) * (0.5 + random.float()))
}
