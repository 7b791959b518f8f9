const encoder = new TextEncoder()

/** Pieces whose source learns at once that nobody reads them any more, even while it waits for the next one. */
export function untilReturn(
  source: (signal: AbortSignal) => AsyncGenerator<string, void>,
): AsyncIterableIterator<Uint8Array, void> {
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
