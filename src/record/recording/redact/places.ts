import { UsageError } from '../../../engine/errors.js'

/** The names of fields and the indexes that lead to a value. */
export type Place = readonly string[]

/** Where a value comes from. */
export type Side = 'request' | 'answer' | 'error'

const ANY = '*'

/** The places whose values the user redacts, such as `input.prompt` or `messages.*.content`. */
export class RedactedPlaces {
  readonly #places: readonly Place[]

  /** @throws UsageError if one of them has no form that can be read */
  constructor(texts: readonly string[]) {
    this.#places = texts.map(readPlace)
  }

  /** Whether a value of a request is at such a place. */
  isInRequest(place: Place): boolean {
    return this.#places.some((each) => each.length === place.length && endsWith(place, each))
  }

  /** Whether a value of an answer is: an answer may have the fields of the request in an object of its own. */
  isInAnswer(place: Place): boolean {
    return this.#places.some((each) => each[0] !== ANY && endsWith(place, each))
  }
}

function endsWith(place: Place, end: Place): boolean {
  const before = place.length - end.length
  return before >= 0 && end.every((name, index) => name === ANY || name === place[before + index])
}

function readPlace(text: string): Place {
  const names = text.split('.')
  if (names.every((name) => name !== '') && names.some((name) => name !== ANY)) return names
  throw new UsageError(
    `${JSON.stringify(text)} is not a place whose values can be redacted. Give the names of the fields from the body, such as input.prompt or messages.*.content.`,
  )
}
