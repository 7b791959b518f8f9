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
