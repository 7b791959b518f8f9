import type { Entry, Journal } from '../../../core/journal/journal.js'
import { startTimer } from '../../../core/time/system-clock.js'

// A proxy closes a connection on which nothing comes for a minute or so.
const HEARTBEAT = 15_000
/** Who reads more slowly than this many entries come is cut off, and may come again. */
const MOST_WAITING = 10_000

const encoder = new TextEncoder()

/**
 * The journal as server-sent events, from an entry on and then live, until whoever reads it leaves.
 * @param after the number of the last entry that the reader has seen
 * @param write words an entry
 */
export function followJournal(
  journal: Journal,
  after: number,
  write: (entry: Entry) => object,
): AsyncIterableIterator<Uint8Array> {
  const waiting: string[] = ['retry: 1000\n\n']
  let wake = () => {}
  let isOver = false
  const put = (entry: Entry) => {
    waiting.push(`id: ${entry.number}\nevent: ${entry.type}\ndata: ${JSON.stringify(write(entry))}\n\n`)
    if (waiting.length > MOST_WAITING) end()
    wake()
  }
  const unfollow = journal.follow(put)
  const end = () => {
    isOver = true
    unfollow()
    wake()
  }
  for (const entry of journal.entries()) if (entry.number > after) put(entry)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (waiting.length === 0 && !isOver) await wakened((resume) => (wake = resume))
      if (isOver) return { done: true, value: undefined }
      const text = waiting.splice(0).join('') || ': still here\n\n'
      return { done: false, value: encoder.encode(text) }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
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
