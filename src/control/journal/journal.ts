import * as v from 'valibot'
import { mask } from '../../engine/mask.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { pageReply } from '../../exchange/pages.js'
import type { Entry, RequestEntry } from '../../inspect/journal/entry.js'
import { controlOperation } from '../operation.js'
import { JournalQuery, type RequestQuery } from '../schema/inputs.js'
import { DEFAULT_LIMIT, optional, truth } from '../schema/parts.js'
import { decisionOf, entryShape } from './entry-shape.js'

export const readJournal = controlOperation('sim.journal.read', {
  tag: 'Record',
  summary: 'Read the journal',
  description: 'Newest first. An entry must meet every condition in the query.',
  query: v.strictObject({
    ...JournalQuery.entries,
    brief: optional(truth, '`true`: requests without headers and bodies'),
  }),
  responses: { 200: { description: 'A page of entries', json: 'EntryPage' } },
  errors: ['invalid_request'],
  async run({ sim }, { query }) {
    const { after, limit = DEFAULT_LIMIT, brief } = query
    const { entries, hasMore } = sim.journal.list({ before: after, limit, matches: entryMatcher(query) })
    const { reply } = await pageReply({
      items: entries,
      hasMore,
      textOf: (entry) => JSON.stringify(entryShape(entry, { isBrief: brief })),
      cursorOf: ({ number }) => String(number),
    })
    return reply
  },
})

type Wanted = v.InferOutput<typeof JournalQuery>

type WantedRequest = v.InferOutput<typeof RequestQuery>

/** Whether an entry meets every condition of a query. */
function entryMatcher(query: Wanted): (entry: Entry) => boolean {
  const { type, task, key } = query
  const isWanted = requestMatcher(query)
  const { operation, status, dialect, text } = query
  const isAboutRequests = (operation ?? status ?? dialect ?? text) !== undefined
  return (entry) => {
    if (type !== undefined && entry.type !== type) return false
    if (entry.type === 'request') return isWanted(entry)
    if (isAboutRequests || !isInTime(entry, query)) return false
    if (task !== undefined && taskOf(entry) !== task) return false
    return key === undefined || (entry.type === 'task' && isKey(mask(entry.task.owner), key))
  }
}

/** Whether a request meets every condition of a query. */
export function requestMatcher(query: WantedRequest): (entry: RequestEntry) => boolean {
  const { task, key, operation, status, dialect, text = '' } = query
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return (entry) => {
    const { request } = entry
    if (!isInTime(entry, query)) return false
    if (task !== undefined && request.taskId !== task) return false
    if (key !== undefined && !isKey(request.key, key)) return false
    if (operation !== undefined && request.operation !== operation) return false
    if (dialect !== undefined && request.dialect !== dialect) return false
    if (status !== undefined && !hasStatus(request, status)) return false
    return words.length === 0 || hasWords(request, words)
  }
}

function isInTime({ at }: Entry, { since = -Infinity, until = Infinity }: WantedRequest): boolean {
  return at >= since && at <= until
}

/** @param wanted in full or masked */
function isKey(masked: string, wanted: string): boolean {
  return masked === wanted || masked === mask(wanted)
}

/** The client has not received the status of a lost response. @param wanted a status, or a class of them */
function hasStatus({ status, delivered }: AnsweredRequest, wanted: string): boolean {
  if (wanted === 'lost') return !delivered
  if (wanted === 'refused') return !delivered || status >= 400
  if (!delivered) return false
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}

function hasWords(request: AnsweredRequest, words: readonly string[]): boolean {
  const { id, method, path, query, taskId = '', key, note } = request
  const { requestBody = '', responseBody = '' } = note
  const decision = decisionOf(request)
  const parts = [id, method, path, query, taskId, key, decision?.name, decision?.field, decision?.reason]
  const text = [...parts, requestBody, responseBody].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

function taskOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'task':
      return entry.task.id
    case 'forgotten':
    case 'control':
      return entry.taskId
    case 'delivery':
      return entry.delivery.taskId
    case 'observation':
      return entry.observation.taskId
    default:
      return undefined
  }
}
