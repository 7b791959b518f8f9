import type { ArmedDeviation } from '../../engine/exploration/armed-deviation.js'
import type { ReachedPlace } from '../../engine/exploration/exploration.js'
import type { Place } from '../../engine/exploration/place.js'

/**
 * What a correct client makes of a deviation: it recovers from a `transient` one, reports a `permanent` one, may do
 * either, or rejects a `forgery`.
 */
export type DeviationClass = 'transient' | 'permanent' | 'either' | 'forgery'

/** What the simulator does because of a deviation. */
export interface Effect extends Omit<ArmedDeviation, 'id' | 'place'> {
  /** What tells effects of the same word apart, such as the code of an error. */
  readonly variant?: string
  /** How much longer a correct client may take because of it, in milliseconds on the clock; 0 by default. */
  readonly delays?: number
}

/** Something that can go wrong. */
export interface Deviation {
  /** As the pages about faults and webhooks call it. */
  readonly word: string
  /** The places where it can happen. */
  readonly type: Place['type']
  readonly class: DeviationClass
  /** What happens, as a clause for reports, such as `the answer is lost`. */
  readonly title: string
  /**
   * What the simulator does at a place of its type: one entry for each run, none if the deviation cannot happen there.
   * @param places all places of the baseline
   */
  at(place: ReachedPlace, places: readonly ReachedPlace[]): readonly Effect[]
}

type At<Type extends Place['type']> = (
  place: Extract<Place, { type: Type }>,
  reached: ReachedPlace,
  places: readonly ReachedPlace[],
) => Effect | readonly Effect[] | undefined

/** Defines a deviation at one type of place. */
export function deviation<Type extends Place['type']>(
  type: Type,
  word: string,
  kind: DeviationClass,
  title: string,
  at: At<Type>,
): Deviation {
  return {
    word,
    type,
    class: kind,
    title,
    at(reached, places) {
      if (reached.place.type !== type) return []
      const effects = at(reached.place as Extract<Place, { type: Type }>, reached, places)
      return effects === undefined ? [] : [effects].flat()
    },
  }
}

/** Slow answers and downloads take this time, in milliseconds on the clock. */
export const SLOW = 30_000

/** A state that no client knows. */
export const UNKNOWN_STATUS = 'archived'

export type Traits = ReachedPlace['traits']

/** Whether answers about the task show its output. */
export function hasOutput(traits: Traits): traits is NonNullable<Traits> {
  return traits !== undefined && traits.outputFields.length > 0
}

/** Changes all fields in the same way. */
export function each<Value>(fields: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(fields.map((field) => [field, value]))
}
