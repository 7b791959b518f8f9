import type { Dialect } from '../../dialects/dialect.js'
import type { AnsweredRequest } from '../../engine/events.js'
import type { Simulator } from '../../simulator/simulator.js'

/**
 * Loads the dialect of a request in the journal.
 * @returns undefined if there is none, such as for a dialect of the user that an earlier process had
 */
export async function dialectOfRequest(
  { dialect: name }: AnsweredRequest,
  { dialects }: Simulator,
): Promise<Dialect | undefined> {
  return name !== undefined && dialects.names.includes(name) ? dialects.load(name) : undefined
}
