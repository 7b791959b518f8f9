import type { Reply } from '../../../exchange/exchange.js'

const encoder = new TextEncoder()

/** A stream of texts that ends when the client has left. */
interface StreamSource {
  readonly contentType: string
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>
  /** @param signal tells the source that nobody reads the texts any more, even while it waits for the next one */
  texts(signal: AbortSignal): AsyncGenerator<string, void>
  /** The number of texts that will probably follow. */
  expected(): number
}

/** Answers with a stream, one piece for each text. */
export function streamReply({ contentType, headers, texts, expected }: StreamSource): Reply {
  return {
    status: 200,
    headers: { 'content-type': contentType, 'cache-control': 'no-cache', ...headers },
    body: undefined,
    transmission: { pieces: piecesOf(texts), isWhole: true, isEndless: true, expected },
  }
}

function piecesOf(source: StreamSource['texts']): AsyncIterableIterator<Uint8Array, void> {
  const left = new AbortController()
  const texts = source(left.signal)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      const next = await texts.next()
      return next.done ? next : { done: false, value: encoder.encode(next.value) }
    },
    async return() {
      left.abort()
      await texts.return()
      return { done: true, value: undefined }
    },
  }
}
