import type { Entry } from '../../core/journal/journal.js'
import type { Operation } from '../operation.js'
import { invalid } from '../problem.js'
import { json } from '../reply.js'
import { limitIn, wordIn } from './page-query.js'

const TYPES = ['request', 'task', 'delivery', 'receiver'] as const

/** Gives a page of what happened, newest first. */
export const readJournal: Operation = {
  id: 'sim.journal.read',
  authenticated: false,
  run({ sim, request }) {
    const query = new URLSearchParams(request.query)
    const { entries, hasMore } = sim.journal.list({
      type: wordIn(query, 'type', TYPES),
      taskId: query.get('task') ?? undefined,
      before: cursorIn(query),
      limit: limitIn(query),
    })
    return json(200, {
      data: entries.map(entryBody),
      has_more: hasMore,
      next_cursor: hasMore ? String(entries.at(-1)?.number) : null,
    })
  },
}

function cursorIn(query: URLSearchParams): number | undefined {
  const after = query.get('after')
  if (after === null) return undefined
  if (/^\d{1,15}$/.test(after)) return Number(after)
  throw invalid('query parameter', 'after', after, 'the `next_cursor` of a page that you got')
}

/** An entry in the words of the API. */
function entryBody({ number, at, ...fields }: Entry): object {
  const named = Object.entries(fields).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return { number, at: new Date(at).toISOString(), ...Object.fromEntries(named) }
}
