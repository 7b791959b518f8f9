/** The pieces in which a body travels that is slow, or that breaks off. */
type Pieces = AsyncIterable<Uint8Array>

/** All of it at once. */
export async function* whole(bytes: Uint8Array): Pieces {
  if (bytes.length > 0) yield bytes
}

const PIECES_A_SECOND = 10

/**
 * So many bytes in each second of the simulator's clock.
 * @param pause waits so many milliseconds on it
 */
export async function* slow(
  bytes: Uint8Array,
  bytesPerSecond: number,
  pause: (milliseconds: number) => Promise<void>,
): Pieces {
  const step = Math.ceil(bytesPerSecond / PIECES_A_SECOND)
  for (let start = 0; start < bytes.length; start += step) {
    if (start > 0) await pause(Math.round((1_000 * step) / bytesPerSecond))
    yield bytes.subarray(start, start + step)
  }
}

/** The pieces, and then no proper end. */
export async function* brokenOff(pieces: Pieces): Pieces {
  yield* pieces
  throw new Error('The connection was cut.')
}
