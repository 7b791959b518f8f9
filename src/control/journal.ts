import * as v from 'valibot'
import { pageReply } from '../http/exchange/page-reply.js'
import { invalid } from '../http/exchange/problem.js'
import { entryMatcher } from './journal/entry-matcher.js'
import { entryShape } from './journal/entry-shape.js'
import { followJournal } from './journal/follow-journal.js'
import { controlOperation } from './operation.js'
import { DEFAULT_LIMIT, ENTRY_NUMBER, entryNumber, oneOf } from './schema/input-parts.js'
import { optional } from './schema/parts.js'
import { JournalQuery } from './schema/queries.js'

export const readJournal = controlOperation('sim.journal.read', {
  tag: 'Record',
  summary: 'Read the journal',
  description: 'Newest first. An entry must meet every condition in the query.',
  query: v.strictObject({
    ...JournalQuery.entries,
    brief: optional(oneOf(['true', 'false']), '`true`: requests without headers and bodies'),
  }),
  responses: { 200: { description: 'A page of entries', json: 'EntryPage' } },
  errors: ['invalid_request'],
  async run({ sim }, { query }) {
    const { after, limit = DEFAULT_LIMIT, brief } = query
    const { entries, hasMore } = sim.journal.list({ before: after, limit, matches: entryMatcher(query) })
    const { reply } = await pageReply({
      items: entries,
      hasMore,
      textOf: (entry) => JSON.stringify(entryShape(entry, { isBrief: brief === 'true' })),
      cursorOf: ({ number }) => String(number),
    })
    return reply
  },
})

const LAST_SEEN =
  'The number of the last entry that the reader has seen. By default, the stream has new entries only'

export const streamJournal = controlOperation('sim.journal.stream', {
  tag: 'Record',
  summary: 'Stream the journal live',
  description:
    'Sends an event for each entry: `id` is the number of the entry, `event` is its type, and `data` is the entry.',
  query: v.strictObject({ after: optional(entryNumber, LAST_SEEN) }),
  headers: { 'Last-Event-ID': 'The same as `after`; browsers send it when they reconnect' },
  responses: {
    200: {
      description: 'An endless stream of events',
      content: {
        type: 'text/event-stream',
        schema: { type: 'string', description: 'The `data` of each event is an Entry as JSON' },
      },
    },
  },
  errors: ['invalid_request'],
  run({ sim: { journal }, request }, { query }) {
    const last = request.header('last-event-id')
    const after = last === undefined ? query.after : lastEventId(last)
    // A greater number comes from another journal, for example from before a restart of the server.
    const start = after === undefined ? journal.newest : after > journal.newest ? 0 : after
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
      body: undefined,
      transmission: {
        ...followJournal(journal, start, (entry) => entryShape(entry)),
        isWhole: true,
        isEndless: true,
      },
    }
  },
})

function lastEventId(text: string): number {
  const { issues, output } = v.safeParse(entryNumber, text)
  if (issues === undefined) return output
  throw invalid('query parameter', 'after', text, ENTRY_NUMBER)
}
