import { otherSideClosed } from './failed-connection.js'

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
export class CopiedBody extends ReadableStream<Uint8Array> {
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

/** The pieces of a whole body. */
export function wholeSource(body: string | Uint8Array): PieceSource {
  return {
    async pull(controller) {
      controller.enqueue(typeof body === 'string' ? new TextEncoder().encode(body) : body)
      controller.close()
    },
    cancel() {},
  }
}

/** The pieces of a body, until its end or an abort. */
export function sourceOf(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): PieceSource {
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
