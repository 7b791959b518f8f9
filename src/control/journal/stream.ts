import * as v from 'valibot'
import { startTimer } from '../../engine/clock/system-clock.js'
import { invalid } from '../../exchange/problem.js'
import type { Entry } from '../../inspect/journal/entry.js'
import type { Journal } from '../../inspect/journal/journal.js'
import { controlOperation } from '../operation.js'
import { ENTRY_NUMBER, entryNumber, optional } from '../schema/parts.js'
import { entryShape } from './entry-shape.js'

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

// Proxies close a connection that is silent for about a minute.
const HEARTBEAT = 15_000

/** Keeps a long journal from becoming a single large string. */
const MAX_ENTRIES_PER_CHUNK = 100
const encoder = new TextEncoder()

/** A journal as an endless stream. */
interface JournalStream {
  readonly pieces: AsyncIterableIterator<Uint8Array>
  /** Aborted to disconnect a slow reader. */
  readonly signal: AbortSignal
}

/**
 * Streams the journal as server-sent events until the reader disconnects. The stream buffers nothing: if the journal
 * forgets the next entry before a slow reader gets it, or is replaced by another one, the reader is disconnected and can
 * reconnect.
 * @param after the number of the last entry that the reader has seen
 * @param write converts an entry to JSON
 */
export function followJournal(
  journal: Journal,
  after: number,
  write: (entry: Entry) => object,
): JournalStream {
  const disconnect = new AbortController()
  let lastSent = Math.max(after, journal.lastEvicted)
  let preamble = 'retry: 1000\n\n'
  let hasEnded = false
  let wake = () => {}
  let unfollow: (() => void) | undefined
  const end = () => {
    hasEnded = true
    unfollow?.()
    wake()
  }
  const onChange = () => {
    if (journal.lastEvicted > lastSent || journal.newest < lastSent) {
      disconnect.abort()
      end()
    } else if (journal.isClosed && journal.newest === lastSent) end()
    else wake()
  }
  const pieces: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      // Follow the journal only from the first read on: a HEAD request never reads the stream and never ends it.
      if (!hasEnded) unfollow ??= journal.follow(onChange)
      if (preamble === '' && journal.newest === lastSent && !hasEnded && !journal.isClosed)
        await waitForChange((resume) => (wake = resume))
      const entries = hasEnded ? [] : journal.after(lastSent, MAX_ENTRIES_PER_CHUNK)
      if (hasEnded || (journal.isClosed && entries.length === 0)) {
        end()
        return { done: true, value: undefined }
      }
      lastSent = entries.at(-1)?.number ?? journal.newest
      const text = preamble + entries.map((entry) => eventOf(entry, write)).join('')
      preamble = ''
      return { done: false, value: encoder.encode(text || ': still here\n\n') }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
  return { pieces, signal: disconnect.signal }
}

function eventOf(entry: Entry, write: (entry: Entry) => object): string {
  return `id: ${entry.number}\nevent: ${entry.type}\ndata: ${JSON.stringify(write(entry))}\n\n`
}

/** Resolves on a change of the journal, or when a heartbeat is due. */
function waitForChange(onWake: (resume: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = startTimer(HEARTBEAT, resolve)
    onWake(() => {
      cancel()
      resolve()
    })
  })
}
