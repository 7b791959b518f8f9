import { startTimer } from '../../engine/clock/system-clock.js'
import type { Entry } from '../../inspect/journal/entry.js'
import type { Journal } from '../../inspect/journal/journal.js'

// Proxies close a connection that is silent for about a minute.
const HEARTBEAT = 15_000
/** Keeps a long journal from becoming a single large string. */
const MAX_ENTRIES_PER_CHUNK = 100

const encoder = new TextEncoder()

/** A journal as an endless stream. */
export interface JournalStream {
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
