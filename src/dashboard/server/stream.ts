import type { EntryShape } from '../../control/shapes.js'
import { controlUrl } from './control.js'
import { withToken } from './token.js'

const TYPES = ['request', 'task', 'delivery', 'receiver', 'control', 'observation'] as const

export interface StreamListener {
  onOpen(): void
  onEntry(entry: EntryShape): void
  /** The connection is over; the stream does not come back by itself. */
  onEnd(): void
}

/**
 * Follows the journal from behind one of its lines.
 * @returns a function that ends it
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
  // A browser's own way back asks for the lines after the last one; those of a restarted server are numbered anew.
  source.addEventListener('error', () => {
    source.close()
    listener.onEnd()
  })
  return () => source.close()
}
