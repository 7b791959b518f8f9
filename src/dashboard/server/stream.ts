import type { EntryShape } from '../../control/shapes.js'
import { controlUrl } from './control.js'
import { withToken } from './token.js'

const TYPES = ['request', 'task', 'forgotten', 'delivery', 'receiver', 'control', 'observation'] as const

export interface StreamListener {
  onOpen(): void
  onEntry(entry: EntryShape): void
  /** Called when the connection ends. The stream does not reconnect. */
  onEnd(): void
}

/**
 * Follows the journal after an entry.
 * @param after the number of the entry
 * @returns a function that closes the stream
 */
export function followJournal(
  sandbox: string | undefined,
  after: number,
  listener: StreamListener,
): () => void {
  const source = new EventSource(withToken(`${controlUrl(sandbox)}/stream?after=${after}`))
  source.addEventListener('open', () => listener.onOpen())
  for (const type of TYPES) {
    source.addEventListener(type, ({ data }: MessageEvent<string>) => listener.onEntry(JSON.parse(data)))
  }
  // The browser would reconnect with the last number, but a restarted server numbers its entries from 1.
  source.addEventListener('error', () => {
    source.close()
    listener.onEnd()
  })
  return () => source.close()
}
