type Controller = ReadableStreamDefaultController<Uint8Array>

interface Source {
  readonly start?: (controller: Controller) => void
  readonly pull: (controller: Controller) => Promise<void>
}

/**
 * A body in pieces, as a stream whose copies can be canceled one by one.
 *
 * Clients that leave a stream cancel its body, and wait until that is done. MSW keeps a clone of every response unread,
 * and a standard stream ends the cancellation of one copy only when the other is canceled as well.
 */
export class LiveBody extends ReadableStream<Uint8Array> {
  readonly #leave: () => void

  /** @param leave called when the client cancels the body, or its own copy: the one that it keeps after a clone */
  constructor(source: Source, leave: () => void, highWaterMark = 1) {
    super({ ...source, cancel: () => leave() }, { highWaterMark })
    this.#leave = leave
  }

  override tee(): [LiveBody, LiveBody] {
    const [own, clone] = super.tee()
    return [copyOf(own, this.#leave), copyOf(clone, () => {})]
  }
}

function copyOf(stream: ReadableStream<Uint8Array>, leave: () => void): LiveBody {
  const reader = stream.getReader()
  const pull = async (controller: Controller) => {
    const { done, value } = await reader.read()
    if (done) controller.close()
    else controller.enqueue(value)
  }
  const cancel = () => {
    leave()
    // Not awaited: it ends when the other copy is canceled as well.
    reader.cancel().catch(() => {})
  }
  return new LiveBody({ pull }, cancel, 0)
}
