/**
 * The body of an error, as a stream whose copies can be canceled one by one.
 *
 * Some clients cancel the body of an error before they retry, and wait until that is done. MSW keeps a clone of every
 * response unread, and a standard stream ends the cancellation of one copy only when the other is canceled as well.
 */
export class WholeBody extends ReadableStream<Uint8Array> {
  readonly #bytes: Uint8Array

  constructor(body: string | Uint8Array) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    super({
      start(controller) {
        controller.enqueue(bytes)
        controller.close()
      },
    })
    this.#bytes = bytes
  }

  override tee(): [WholeBody, WholeBody] {
    return [new WholeBody(this.#bytes), new WholeBody(this.#bytes)]
  }
}
