import { mask } from '../../engine/mask.js'
import type { Operation } from '../../http/operation.js'
import { limitIn, MOST_LISTED, wordIn } from '../../http/page-query.js'
import { pageReply } from '../../http/page-reply.js'
import { invalid } from '../../http/problem.js'
import { ENTRY_TYPES, type Entry } from '../../inspect/journal/entry.js'
import { INSTANT_FORM, readInstant } from '../instant.js'
import { queryOf } from '../own-fields.js'
import { entryShape } from './entry-shape.js'

const QUERY = ['type', 'task', 'key', 'operation', 'status', 'since', 'until', 'limit', 'after']

/** Gives a page of what happened, newest first. */
export const readJournal: Operation = {
  id: 'sim.journal.read',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    const query = queryOf(exchange, QUERY)
    const { entries, hasMore } = sim.journal.list({
      before: numberIn(query, 'after'),
      limit: limitIn(query, MOST_LISTED),
      matches: matcher(query),
    })
    const { reply } = await pageReply({
      items: entries,
      hasMore,
      textOf: (entry) => JSON.stringify(entryShape(entry)),
      cursorOf: ({ number }) => String(number),
    })
    return reply
  },
}

/** What the query asks for; all that it names must hold. */
function matcher(query: URLSearchParams): (entry: Entry) => boolean {
  const type = wordIn(query, 'type', ENTRY_TYPES)
  const [task, key, operation] = ['task', 'key', 'operation'].map((name) => query.get(name) ?? undefined)
  const status = numberIn(query, 'status')
  const since = instantIn(query, 'since')
  const until = instantIn(query, 'until')
  return (entry) => {
    if (type !== undefined && entry.type !== type) return false
    if (entry.at < (since ?? -Infinity) || entry.at > (until ?? Infinity)) return false
    if (task !== undefined && taskOf(entry) !== task) return false
    if ((key ?? operation ?? status) === undefined) return true
    if (key !== undefined && keyOf(entry) !== key && keyOf(entry) !== mask(key)) return false
    if ((operation ?? status) === undefined) return true
    if (entry.type !== 'request') return false
    const { request } = entry
    return (
      (operation ?? request.operation) === request.operation && (status ?? request.status) === request.status
    )
  }
}

/** The API key, masked, of whoever sent the request or owns the task. */
function keyOf(entry: Entry): string | undefined {
  if (entry.type === 'task') return mask(entry.task.owner)
  return entry.type === 'request' ? entry.request.key : undefined
}

function taskOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'request':
      return entry.request.taskId
    case 'task':
      return entry.task.id
    case 'delivery':
      return entry.delivery.taskId
    case 'observation':
      return entry.observation.taskId
    default:
      return undefined
  }
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalid('query parameter', name, text, 'a whole number, such as the `next_cursor` of a page')
}

function instantIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const at = readInstant(text)
  if (at !== undefined) return at
  throw invalid('query parameter', name, text, INSTANT_FORM)
}
