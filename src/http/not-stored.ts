import type { Reply } from './exchange/exchange.js'
import { Problem } from './exchange/problem.js'
import type { LiveReply } from './live-reply.js'
import type { Exchange } from './operation.js'
import { rejectionReply } from './rejection-reply.js'
import { returning } from './returning.js'

/** Answers in place of a reply that depends on changes which could not be stored. */
export function notStored(exchange: Exchange): Reply {
  const message = 'The ledger did not store the changes that the response depends on. Try again.'
  return rejectionReply(new Problem('unavailable', message, { headers: { 'retry-after': '1' } }), exchange)
}

/** A stream whose pieces wait until what they show is stored. It ends early if that fails. */
export function storedPieces(reply: LiveReply, { sim }: Exchange): LiveReply {
  const { gate } = sim.parts
  if (gate.writer === undefined) return reply
  const { transmission } = reply
  async function* pieces() {
    for await (const piece of transmission.pieces) {
      const stored = gate.pass()
      if (stored !== undefined && !(await stored)) throw new Error('The ledger did not store the changes.')
      yield piece
    }
  }
  return { ...reply, transmission: { ...transmission, pieces: returning(pieces(), transmission.pieces) } }
}
