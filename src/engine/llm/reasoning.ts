import type { JsonObject } from '../json.js'
import type { Random } from '../random.js'

/** Around how many tokens a model reasons at the common efforts. */
const EFFORTS: ReadonlyMap<unknown, number> = new Map([
  ['none', 0],
  ['minimal', 24],
  ['low', 160],
  ['medium', 640],
  ['high', 2_560],
  ['xhigh', 10_240],
])

/** At an effort that is not listed: the service's description does not specify the values. */
const USUAL_TOKENS = 640

/** How many tokens the model reasons before it answers: half to one and a half of the usual number for the effort. */
export function reasoningTokens(
  { reasoning_effort: effort }: JsonObject,
  random: Random,
): number | undefined {
  if (typeof effort !== 'string') return undefined
  return Math.round((EFFORTS.get(effort) ?? USUAL_TOKENS) * (0.5 + random.float()))
}
