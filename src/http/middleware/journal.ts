import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import { clientNow, stopwatch, systemNow } from '../../engine/clock/system-clock.js'
import type { AnsweredRequest, RequestNote } from '../../engine/events.js'
import { makeSendable } from '../../engine/requests/headers.js'
import type { Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { answeredRequest } from '../answered-request.js'
import { httpDate } from '../http-date.js'
import { isLive, type LiveReply, reportedAtEnd } from '../live-reply.js'
import type { Exchange, Handler } from '../operation.js'
import { rejectionReply } from '../rejection-reply.js'
import { returning } from '../returning.js'

/** Reports every answered request to the journal and the metrics. */
export function journal<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const begin = stopwatch()
  const made = next(exchange)
  // Whether the process runs does not depend on what is stored.
  const mustBeStored = exchange.sim.parts.gate.writer !== undefined && exchange.operation?.id !== 'sim.health'
  return mustBeStored || isPromise(made)
    ? reportLater(exchange, made, mustBeStored, begin)
    : reported(exchange, made, begin)
}

async function reportLater(
  exchange: Exchange,
  pending: Awaitable<Reply>,
  mustBeStored: boolean,
  begin: number,
): Promise<Reply> {
  const { requests, gate } = exchange.sim.parts
  const asOfNow = () => described(exchange, WITHOUT_ANSWER, begin)
  requests.unanswered.add(asOfNow)
  try {
    const made = await pending
    const isStored = !mustBeStored || (await gate.pass()) !== false
    // Read after the wait only: on a host with connections, it costs as much as the rest of a poll.
    exchange.hasLeft = exchange.request.signal?.aborted === true
    return reported(exchange, isStored ? made : notStored(exchange), begin)
  } finally {
    requests.unanswered.delete(asOfNow)
  }
}

/** @returns the reply, which reports itself at its end if it is a stream */
function reported(exchange: Exchange, reply: Reply, begin: number): Reply {
  exchange.transfer?.release()
  if (exchange.taskId === undefined) exchange.discard?.()
  reply.headers['x-request-id'] = exchange.id
  reply.headers['date'] = httpDate(clientNow(exchange.sim.clock))
  makeSendable(reply.headers)
  if (isLive(exchange, reply))
    return reportedAtEnd(storedPieces(reply, exchange), (ended) => report(exchange, ended, begin))
  report(exchange, reply, begin)
  return reply
}

function report(exchange: Exchange, reply: Reply, begin: number): void {
  if (reply.transmission !== undefined && 'hangs' in reply.transmission) noteClose(exchange)
  exchange.sim.emit('request.answered', described(exchange, reply, begin), exchange)
}

/** Notes when the client closes a request that gets no answer. */
function noteClose({ note, request: { signal }, sim }: Exchange): void {
  const unanswered: RequestNote['unanswered'] = {}
  note.unanswered = unanswered
  const close = () => {
    unanswered.closed = { at: sim.clock.now(), realAt: systemNow() }
  }
  if (signal?.aborted) close()
  else signal?.addEventListener('abort', close, { once: true })
}

const WITHOUT_ANSWER: Reply = { status: 0, headers: {}, body: undefined, transmission: { ends: 'before' } }

function described(exchange: Exchange, reply: Reply, begin: number): AnsweredRequest {
  const took = stopwatch() - begin
  return answeredRequest(exchange, reply, {
    answeredAt: exchange.sim.clock.now(),
    realAt: systemNow() - took,
    took,
  })
}

/** Answers in place of a reply that depends on changes which could not be stored. */
function notStored(exchange: Exchange): Reply {
  const message = 'The ledger did not store the changes that the response depends on. Try again.'
  return rejectionReply(new Problem('unavailable', message, { headers: { 'retry-after': '1' } }), exchange)
}

/** A stream whose pieces wait until what they show is stored. It ends early if that fails. */
function storedPieces(reply: LiveReply, { sim }: Exchange): LiveReply {
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
