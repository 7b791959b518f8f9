import type { Fault } from '../../engine/requests/fault.js'
import type { Simulator } from '../../simulator.js'
import type { Reply, Transmission } from '../exchange/exchange.js'

type Pieces = AsyncIterable<Uint8Array>

/** The transmission of a reply with a fault; empty if the reply is sent as a whole and at once. */
export function transmissionOf(
  { body }: Reply,
  fault: Fault,
  sim: Simulator,
): { transmission?: Transmission } {
  const { hang, reset, cut, bytes_per_second: speed } = fault
  if (hang) return { transmission: { hangs: true } }
  if (reset === 'before' || reset === 'during') return { transmission: { ends: reset } }
  const share = reset === 'after' ? 0 : cut
  if (share === undefined && speed === undefined) return {}
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
  const sent = share === undefined ? bytes : bytes.subarray(0, Math.floor(bytes.length * share))
  const pieces = speed === undefined ? whole(sent) : slow(sent, speed, sim)
  if (reset === 'after') return { transmission: { pieces: cutOff(pieces), isWhole: false, resets: true } }
  const isWhole = sent.length === bytes.length
  return { transmission: { pieces: isWhole ? pieces : cutOff(pieces), isWhole } }
}

async function* whole(bytes: Uint8Array): Pieces {
  if (bytes.length > 0) yield bytes
}

const PIECES_PER_SECOND = 10

/** The speed is in bytes per second of the simulator's clock. */
async function* slow(bytes: Uint8Array, bytesPerSecond: number, sim: Simulator): Pieces {
  const step = Math.ceil(bytesPerSecond / PIECES_PER_SECOND)
  for (let start = 0; start < bytes.length; start += step) {
    if (start > 0) await sim.pause(Math.round((1_000 * step) / bytesPerSecond))
    yield bytes.subarray(start, start + step)
  }
}

/** Fails after the last piece, so that the host closes the connection. */
async function* cutOff(pieces: Pieces): Pieces {
  yield* pieces
  throw new Error('The connection was cut.')
}
