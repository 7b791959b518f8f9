import type { Reply, Transmission } from '../../http/exchange/exchange.js'
import { failedConnection, otherSideClosed } from './failed-connection.js'

/** Converts a reply to a fetch response, including its faults. */
export async function toResponse(request: Request, reply: Reply): Promise<Response> {
  const { status, headers, body, transmission } = reply
  if (transmission !== undefined) return transmitted(request, reply, transmission)
  if (isWithoutBody(request, status)) return new Response(null, { status, headers })
  return new Response(status >= 400 && body !== undefined ? new CopiedBody(wholeSource(body)) : body, {
    status,
    headers,
  })
}

async function transmitted(
  request: Request,
  { status, headers }: Reply,
  transmission: Transmission,
): Promise<Response> {
  // Resolve even after an abort: MSW would log a rejection, and the application gets the same error either way.
  if ('hangs' in transmission) await aborted(request.signal)
  if (!('pieces' in transmission))
    return failedConnection('ends' in transmission ? transmission.ends : 'before')
  const init = { status, headers }
  if (isWithoutBody(request, status)) return new Response(null, init)
  const { pieces, signal = request.signal } = transmission
  return new Response(new CopiedBody(sourceOf(pieces, AbortSignal.any([request.signal, signal]))), init)
}

const STATUSES_WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** The constructor of `Response` rejects any body with these statuses, even an empty one, which a fault may add. */
function isWithoutBody({ method }: Request, status: number): boolean {
  return method === 'HEAD' || STATUSES_WITHOUT_BODY.includes(status)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function wholeSource(body: string | Uint8Array): PieceSource {
  return {
    async pull(controller) {
      controller.enqueue(typeof body === 'string' ? new TextEncoder().encode(body) : body)
      controller.close()
    },
    cancel() {},
  }
}

function sourceOf(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): PieceSource {
  const iterator = pieces[Symbol.asyncIterator]()
  // Not awaited: a slow body may be waiting for the simulator's clock.
  const cancel = () => void iterator.return?.()
  return {
    start(controller) {
      const fail = () => {
        controller.error(signal.reason)
        cancel()
      }
      signal.addEventListener('abort', fail, { once: true })
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch {
        controller.error(new TypeError('terminated', { cause: otherSideClosed() }))
      }
    },
    cancel,
  }
}

type Controller = ReadableStreamDefaultController<Uint8Array>

/** Where the pieces of a body come from. */
interface PieceSource {
  readonly start?: (controller: Controller) => void
  readonly pull: (controller: Controller) => Promise<void>
  readonly cancel: () => void
}

/**
 * A body whose copies can be canceled one by one.
 *
 * Clients cancel the body of an error before they retry, and that of a stream that they leave, and wait until that is
 * done. MSW keeps a clone of every response unread, and a standard stream ends the cancellation of one copy only when
 * the other is canceled as well.
 */
class CopiedBody extends ReadableStream<Uint8Array> {
  readonly #source: PieceSource

  constructor(source: PieceSource, strategy?: { readonly highWaterMark: number }) {
    super(source, strategy)
    this.#source = source
  }

  /** The first copy is that of the client: if it is canceled, the source is as well. */
  override tee(): [CopiedBody, CopiedBody] {
    const [own, clone] = super.tee()
    return [copyOf(own, () => this.#source.cancel()), copyOf(clone, () => {})]
  }
}

function copyOf(stream: ReadableStream<Uint8Array>, leave: () => void): CopiedBody {
  const reader = stream.getReader()
  const source: PieceSource = {
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      leave()
      // Not awaited: it ends when the other copy is canceled as well.
      reader.cancel().catch(() => {})
    },
  }
  return new CopiedBody(source, { highWaterMark: 0 })
}
