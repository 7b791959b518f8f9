import type { ParameterDescription } from '../description.js'

/** How a JSON body is refused. */
export const BAD_BODY = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const

/** A parameter; a text unless a schema says otherwise. */
export function asked(description: string, schema: object = { type: 'string' }): ParameterDescription {
  return { description, schema: { ...schema } }
}

/** What every list can be asked for. */
export const PAGE = {
  limit: asked('How many at the most', { type: 'integer', minimum: 1, maximum: 1_000, default: 20 }),
  after: asked('The `next_cursor` of the page before'),
}

/** The id in a path. */
export function idOf(what: string) {
  return { id: asked(`The id of the ${what}`) }
}
