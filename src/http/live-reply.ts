import type { Reply, Transmission } from '../exchange/exchange.js'
import { MAX_RECORDED } from './json-body.js'
import type { Exchange } from './operation.js'

type Streamed = Extract<Transmission, { pieces: unknown }>

/** A reply that is sent in pieces: a stream, or a file that a fault slows down. */
export interface LiveReply extends Reply {
  readonly transmission: Streamed
}

/** Whether a reply of the service is a stream, or a file in pieces: the client may leave before it has got all of it. */
export function isLive({ dialect, request, operation }: Exchange, reply: Reply): reply is LiveReply {
  const { transmission, status } = reply
  if (dialect === undefined || request.method === 'HEAD') return false
  if (transmission === undefined || !('pieces' in transmission)) return false
  // Other bodies may never be read, and their requests must be reported all the same.
  const isFile = operation?.id === 'files.download' && status < 300
  return transmission.isEndless === true || (isFile && transmission.isWhole)
}

/** The last event of many streams. Clients leave when they have read it. */
const LAST_EVENT = 'data: [DONE]\n\n'

function isLastEvent(piece: Uint8Array): boolean {
  return piece.length === LAST_EVENT.length && new TextDecoder().decode(piece) === LAST_EVENT
}

/**
 * Reports a reply to the journal when it has ended, and a stream with the text that was sent: only then is it known what
 * the client has learned.
 * @param report gets the reply as it was in the end
 */
export function reportedAtEnd(reply: LiveReply, report: (reply: Reply) => void): Reply {
  const { transmission } = reply
  const source = transmission.pieces[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  let text = ''
  let isReported = false
  let hasLast = false
  const end = (isWhole: boolean) => {
    if (isReported) return
    isReported = true
    report({
      ...reply,
      body: transmission.isEndless ? text : reply.body,
      transmission: { ...transmission, isWhole: isWhole && transmission.isWhole },
    })
  }
  const pieces: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      try {
        const next = await source.next()
        if (next.done) end(true)
        else {
          hasLast = isLastEvent(next.value)
          if (text.length <= MAX_RECORDED) text += decoder.decode(next.value, { stream: true })
        }
        return next
      } catch (error) {
        end(false)
        throw error
      }
    },
    async return() {
      end(hasLast)
      await source.return?.()
      return { done: true, value: undefined }
    },
  }
  return { ...reply, transmission: { ...transmission, pieces } }
}

type Pieces = AsyncIterable<Uint8Array>

/**
 * Pieces that stop waiting for those of their source when the client has disconnected. A generator alone would notice
 * that only after the next piece.
 * @param pieces made from those of the source
 * @param source all its iterators read the same pieces, so that the end of one ends all
 */
export function returning(pieces: Pieces, source: Pieces): Pieces {
  const iterator = pieces[Symbol.asyncIterator]()
  const sourceIterator = source[Symbol.asyncIterator]()
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => iterator.next(),
      async return() {
        await sourceIterator.return?.()
        return { done: true, value: undefined }
      },
    }),
  }
}
