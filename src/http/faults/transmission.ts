import type { Fault } from '../../engine/requests/fault.js'
import type { Reply, Transmission } from '../../exchange/exchange.js'
import { returning } from '../live-reply.js'

/** Waits for some milliseconds on the simulator's clock, or until the client has left. */
export type Pause = (milliseconds: number) => Promise<void>

type Pieces = AsyncIterable<Uint8Array>

type Stream = Extract<Transmission, { pieces: unknown }>

/** The transmission of a reply with a fault; empty if the reply is sent as a whole and at once. */
export function transmissionOf(
  { body, transmission }: Reply,
  fault: Fault,
  pause: Pause,
): { transmission?: Transmission } {
  const { hang, reset, cut, bytes_per_second: speed } = fault
  if (hang) return { transmission: { hangs: true } }
  if (reset === 'before' || reset === 'during') return { transmission: { ends: reset } }
  const share = reset === 'after' ? 0 : cut
  if (share === undefined && speed === undefined) return {}
  if (body === undefined && transmission !== undefined && 'pieces' in transmission)
    return { transmission: { ...faultyStream(transmission, share, speed, pause), resets: reset === 'after' } }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
  const sent = share === undefined ? bytes : bytes.subarray(0, Math.floor(bytes.length * share))
  const pieces = speed === undefined ? whole(sent) : slow(sent, speed, pause)
  if (reset === 'after') return { transmission: { pieces: cutOff(pieces), isWhole: false, resets: true } }
  const isWhole = sent.length === bytes.length
  return { transmission: { pieces: isWhole ? pieces : cutOff(pieces), isWhole } }
}

/** A stream that ends early, or is sent slowly. The share is one of the pieces that will probably appear. */
function faultyStream(
  stream: Stream,
  share: number | undefined,
  speed: number | undefined,
  pause: Pause,
): Stream {
  const paced = speed === undefined ? stream.pieces : slowStream(stream.pieces, speed, pause)
  if (share === undefined) return { ...stream, pieces: returning(paced, stream.pieces) }
  const count = Math.floor(share * (stream.expected?.() ?? 1))
  return { ...stream, pieces: returning(cutOff(first(paced, count)), stream.pieces), isWhole: false }
}

async function* first(pieces: Pieces, count: number): Pieces {
  if (count === 0) return
  let sent = 0
  for await (const piece of pieces) {
    yield piece
    if (++sent === count) return
  }
}

async function* slowStream(pieces: Pieces, bytesPerSecond: number, pause: Pause): Pieces {
  let before = 0
  for await (const piece of pieces) {
    if (before > 0) await pause(Math.round((1_000 * before) / bytesPerSecond))
    yield* slow(piece, bytesPerSecond, pause)
    before = Math.min(piece.length, Math.ceil(bytesPerSecond / PIECES_PER_SECOND))
  }
}

async function* whole(bytes: Uint8Array): Pieces {
  if (bytes.length > 0) yield bytes
}

const PIECES_PER_SECOND = 10

/** The speed is in bytes per second of the simulator's clock. */
async function* slow(bytes: Uint8Array, bytesPerSecond: number, pause: Pause): Pieces {
  const step = Math.ceil(bytesPerSecond / PIECES_PER_SECOND)
  for (let start = 0; start < bytes.length; start += step) {
    if (start > 0) await pause(Math.round((1_000 * step) / bytesPerSecond))
    yield bytes.subarray(start, start + step)
  }
}

/** Fails after the last piece, so that the host closes the connection. */
async function* cutOff(pieces: Pieces): Pieces {
  yield* pieces
  throw new Error('The connection was cut.')
}
