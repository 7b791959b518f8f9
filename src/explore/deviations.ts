import type { ArmedDeviation, ReachedPlace } from '../engine/exploration/exploration.js'

/**
 * What a correct client makes of a deviation: it recovers from a `transient` one, reports a `permanent` one, may do
 * either, or rejects a `forgery`.
 */
export type DeviationClass = 'transient' | 'permanent' | 'either' | 'forgery'

/** Something that can go wrong. */
export interface Deviation {
  /** As the pages about faults and webhooks call it. */
  readonly word: string
  readonly class: DeviationClass
  /** A few words for reports, such as `the answer is lost`. */
  readonly title: string
  /** What the simulator does at a place; undefined if the deviation cannot happen there. */
  at(place: ReachedPlace): Omit<ArmedDeviation, 'id' | 'place'> | undefined
}
