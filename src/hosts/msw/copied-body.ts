type Controller = ReadableStreamDefaultController<Uint8Array>

/** Where the pieces of a body come from. */
export interface PieceSource {
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
