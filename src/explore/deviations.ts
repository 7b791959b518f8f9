import type { Place } from '../engine/exploration/place.js'
import type { Deviation } from './deviations/deviation.js'
import { FILES, SERVICE } from './deviations/files-and-service.js'
import { ANSWERS, REJECTIONS } from './deviations/requests.js'
import { TASKS } from './deviations/tasks.js'
import { WEBHOOKS } from './deviations/webhooks.js'

export type { Deviation, DeviationClass, Effect } from './deviations/deviation.js'

/** All deviations, in the order in which a place has them. */
export const DEVIATIONS: readonly Deviation[] = [
  ...ANSWERS,
  ...REJECTIONS,
  ...TASKS,
  ...WEBHOOKS,
  ...FILES,
  ...SERVICE,
]

/** The words of all deviations. */
export const DEVIATION_WORDS: readonly string[] = [...new Set(DEVIATIONS.map(({ word }) => word))]

/**
 * The deviation with a word at a type of place.
 * @param word the word, with its variant or without, such as `failed` or `failed.out_of_memory`
 */
export function deviationOf(type: Place['type'], word: string): Deviation | undefined {
  const [name] = word.split('.')
  return DEVIATIONS.find((each) => each.type === type && each.word === name)
}
