import type { Operation } from '../../http/operation.js'
import { invalid } from '../../http/problem.js'
import { queryOf } from '../own-fields.js'
import { entryShape } from './entry-shape.js'
import { followJournal } from './follow-journal.js'

/**
 * Streams the journal as server-sent events: from the entry behind `Last-Event-ID` (or `after`), or else from now
 * on. The id of an event is the number of its entry.
 */
export const streamJournal: Operation = {
  id: 'sim.journal.stream',
  authenticated: false,
  run(exchange) {
    const { sim, request } = exchange
    const after = request.header('last-event-id') ?? queryOf(exchange, ['after']).get('after')
    if (after !== null && !/^\d{1,15}$/.test(after))
      throw invalid('query parameter', 'after', after, 'the number of an entry')
    const { journal } = sim
    const follower = followJournal(journal, startOf(after, journal.newest), entryShape)
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
      body: undefined,
      transmission: { ...follower, isWhole: true, isEndless: true },
    }
  },
}

/** A number that this journal has not come to was given by another one, such as that of a server which has ended. */
function startOf(after: string | null, newest: number): number {
  if (after === null) return newest
  return Number(after) > newest ? 0 : Number(after)
}
