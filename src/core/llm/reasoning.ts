import type { JsonObject } from '../json.js'
import type { Random } from '../random.js'

/** How hard a model may be told to think, and around how many tokens that takes. */
const EFFORTS = { minimal: 24, low: 160, medium: 640, high: 2_560 } as const

export const REASONING_EFFORTS = Object.keys(EFFORTS) as (keyof typeof EFFORTS)[]

/** How many tokens the model thinks before it answers: half to one and a half of what is usual for the effort. */
export function reasoningTokens(
  { reasoning_effort: effort }: JsonObject,
  random: Random,
): number | undefined {
  const usual = REASONING_EFFORTS.find((known) => known === effort)
  return usual === undefined ? undefined : Math.round(EFFORTS[usual] * (0.5 + random.float()))
}
