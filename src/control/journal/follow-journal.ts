import { startTimer } from '../../engine/clock/system-clock.js'
import type { Entry } from '../../inspect/journal/entry.js'
import type { Journal } from '../../inspect/journal/journal.js'

// A proxy closes a connection on which nothing comes for a minute or so.
const HEARTBEAT = 15_000
/** So many entries make one piece at the most, so that a long journal does not become one long text. */
const ENTRIES_A_PIECE = 100

const encoder = new TextEncoder()

/** A journal as a stream that goes on for ever. */
export interface Following {
  readonly pieces: AsyncIterableIterator<Uint8Array>
  /** Aborted when the reader is to be cut off. */
  readonly signal: AbortSignal
}

/**
 * The journal as server-sent events, from an entry on and then live, until whoever reads it leaves. It holds no
 * more than its place in the journal; a reader so slow that the journal forgets what comes next for it is cut off,
 * and may come again.
 * @param after the number of the last entry that the reader has seen
 * @param write words an entry
 */
export function followJournal(journal: Journal, after: number, write: (entry: Entry) => object): Following {
  const cut = new AbortController()
  let place = Math.max(after, journal.lastEvicted)
  let greeting = 'retry: 1000\n\n'
  let isOver = false
  let wake = () => {}
  let unfollow: (() => void) | undefined
  const end = () => {
    isOver = true
    unfollow?.()
    wake()
  }
  const heard = () => {
    if (journal.lastEvicted > place) {
      cut.abort()
      end()
    } else if (journal.isClosed && journal.newest === place) end()
    else wake()
  }
  const pieces: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      // Not before: who asks for the headers alone never comes here, and never leaves.
      if (!isOver) unfollow ??= journal.follow(heard)
      if (greeting === '' && journal.newest === place && !isOver && !journal.isClosed)
        await wakened((resume) => (wake = resume))
      const entries = isOver ? [] : journal.after(place, ENTRIES_A_PIECE)
      if (isOver || (journal.isClosed && entries.length === 0)) {
        end()
        return { done: true, value: undefined }
      }
      place = entries.at(-1)?.number ?? journal.newest
      const text = greeting + entries.map((entry) => eventOf(entry, write)).join('')
      greeting = ''
      return { done: false, value: encoder.encode(text || ': still here\n\n') }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
  return { pieces, signal: cut.signal }
}

function eventOf(entry: Entry, write: (entry: Entry) => object): string {
  return `id: ${entry.number}\nevent: ${entry.type}\ndata: ${JSON.stringify(write(entry))}\n\n`
}

/** Resolves when it is woken, or when it is time for a sign of life. */
function wakened(listen: (resume: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = startTimer(HEARTBEAT, resolve)
    listen(() => {
      cancel()
      resolve()
    })
  })
}
