import { keyLocations } from '../../dialects/dialect.js'
import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import { LONGEST_DURATION } from '../../engine/clock/durations.js'
import { httpDate } from '../../engine/clock/instants.js'
import { clientNow, stopwatch, systemNow } from '../../engine/clock/system-clock.js'
import { mask, withoutSecrets } from '../../engine/mask.js'
import type { AnsweredRequest, RequestNote } from '../../engine/requests/answered-request.js'
import { KeptHeaders, makeSendable } from '../../engine/requests/headers.js'
import { readRetryAfter } from '../../engine/requests/retry-after.js'
import { isDelivered, type Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { MAX_RECORDED } from '../json-body.js'
import { isLive, reportedAtEnd, returning } from '../live-reply.js'
import type { Exchange, Handler } from '../operation.js'
import { rejectionReply } from '../rejection.js'
import { endOfLoop } from './request-loops.js'

/** Reports every answered request to the journal and the metrics. */
export function journal<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const begin = stopwatch()
  const made = next(exchange)
  return isPromise(made) || exchange.sim.gate.writer !== undefined
    ? reportLater(exchange, made, begin)
    : reported(exchange, made, begin)
}

async function reportLater(exchange: Exchange, pending: Awaitable<Reply>, begin: number): Promise<Reply> {
  const { requests, gate } = exchange.sim
  // A copy of the note, because the answer is still to come.
  const asOfNow = () => described({ ...exchange, note: { ...exchange.note } }, WITHOUT_ANSWER, begin)
  requests.unanswered.add(asOfNow)
  try {
    const made = await pending
    const showsStored = exchange.operation?.id !== 'sim.health'
    // Meanwhile, the simulator may have got its ledger.
    const isStored = !showsStored || gate.writer === undefined || (await gate.pass()) !== false
    const hasLeft = exchange.request.hasLeft === true
    return reported(exchange, isStored ? made : notStored(exchange), begin, hasLeft)
  } finally {
    requests.unanswered.delete(asOfNow)
  }
}

/**
 * @param hasLeft whether the client disconnected while it waited for the reply
 * @returns the reply, which reports itself at its end if it is a stream
 */
function reported(exchange: Exchange, made: Reply, begin: number, hasLeft = false): Reply {
  const { loops, time } = exchange.sim
  const reply = loops.areEnded && time.clock.speed === 0 ? endOfLoop(made, exchange) : made
  exchange.body.transfer?.release()
  if (exchange.taskId === undefined) exchange.body.discard?.()
  reply.headers['x-request-id'] = exchange.id
  reply.headers['date'] = httpDate(clientNow(exchange.sim.clock))
  makeSendable(reply.headers)
  const sent = reply.transmission === undefined ? reply : storedPieces(reply, exchange)
  if (sent.transmission !== undefined && isLive(exchange, sent))
    return reportedAtEnd(sent, (ended) => report(exchange, ended, begin, hasLeft))
  report(exchange, reply, begin, hasLeft)
  return sent
}

function report(exchange: Exchange, reply: Reply, begin: number, hasLeft: boolean): void {
  exchange.sim.events.emit('request.answered', described(exchange, reply, begin, hasLeft), exchange)
}

/** Follows when the client closes a request that gets no answer. */
function followClose({ request: { signal }, sim }: Exchange): NonNullable<RequestNote['unanswered']> {
  const unanswered: RequestNote['unanswered'] = {}
  const close = () => {
    unanswered.closed = { at: sim.clock.now(), realAt: systemNow() }
  }
  if (signal?.aborted) close()
  else signal?.addEventListener('abort', close, { once: true })
  return unanswered
}

const WITHOUT_ANSWER: Reply = { status: 0, headers: {}, body: undefined, transmission: { ends: 'before' } }

function described(exchange: Exchange, reply: Reply, begin: number, hasLeft = false): AnsweredRequest {
  const took = stopwatch() - begin
  return answeredRequest(exchange, reply, {
    answeredAt: exchange.sim.clock.now(),
    realAt: systemNow() - took,
    took,
    hasLeft,
  })
}

/** Answers in place of a reply that depends on changes which could not be stored. */
function notStored(exchange: Exchange): Reply {
  const message = 'The ledger did not store the changes that the response depends on. Try again.'
  return rejectionReply(new Problem('unavailable', message, { retryAfter: 1_000 }), exchange)
}

/** A reply whose pieces wait until what they show is stored, if it is a stream. It ends early if that fails. */
function storedPieces(reply: Reply, { sim }: Exchange): Reply {
  const { gate } = sim
  const { transmission } = reply
  if (gate.writer === undefined || transmission === undefined || !('pieces' in transmission)) return reply
  const source = transmission.pieces
  async function* pieces() {
    for await (const piece of source) {
      const stored = gate.pass()
      if (stored !== undefined && !(await stored)) throw new Error('The ledger did not store the changes.')
      yield piece
    }
  }
  return { ...reply, transmission: { ...transmission, pieces: returning(pieces(), source) } }
}

/** When and how an exchange ended. */
interface ExchangeEnd {
  /** When it was answered, in epoch milliseconds on the simulator's clock. */
  readonly answeredAt: number
  /** When the request arrived, in epoch milliseconds on the machine's clock. */
  readonly realAt: number
  /** Milliseconds of real time since the request arrived. */
  readonly took: number
  /** Whether the client disconnected before it was answered. */
  readonly hasLeft?: boolean
}

const NO_SECRETS: readonly string[] = []

/** Describes an exchange. The journal keeps the result for long, so it has no reference to the host. */
export function answeredRequest(
  exchange: Exchange,
  reply: Reply,
  { answeredAt, realAt, took, hasLeft = false }: ExchangeEnd,
): AnsweredRequest {
  const { sim, id, at, request, dialect, operation, key, taskId, namedTask, fault } = exchange
  const { status, headers } = reply
  const retryAfter =
    headers['retry-after'] === undefined
      ? undefined
      : waitIn(headers, sim.clock.speed === 0 ? answeredAt : realAt + took)
  return {
    id,
    at,
    realAt,
    answeredAt,
    method: request.method,
    path: request.path,
    query: request.query === '' ? '' : shownQuery(exchange),
    dialect: dialect?.name,
    operation: operation?.id,
    status,
    delivered: isDelivered(reply) && !hasLeft,
    retryAfter,
    key: key && mask(key),
    taskId: taskId ?? namedTask,
    fault: fault?.rule,
    took,
    note: completedNote(exchange, reply, retryAfter),
  }
}

/** Adds what the answer is to what the steps have noted: a copy would take as long as the rest of a poll. */
function completedNote(exchange: Exchange, reply: Reply, retryAfter: number | undefined): RequestNote {
  const { sim, request, dialect, sentKey, note } = exchange
  const { headers, body, secrets, transmission } = reply
  if (typeof body === 'string' && body.length <= MAX_RECORDED)
    note.responseBody = (secrets && withoutSecrets(body, secrets)) ?? body
  note.headers =
    dialect &&
    new KeptHeaders({
      request: request.headers?.() ?? {},
      response: headers,
      keyHeader: (sentKey?.location ?? dialect.key).header,
      secrets: secrets ?? NO_SECRETS,
    })
  if (reply.hasFiles) note.hasFiles = true
  if (retryAfter !== undefined && sim.time.hasClientTimers) note.lastArrived = sim.requests.lastId
  if (transmission !== undefined && 'hangs' in transmission) note.unanswered = followClose(exchange)
  return note
}

/**
 * The milliseconds of Retry-After; undefined if it holds neither seconds nor a date.
 * @param now when it was answered, on the clock of the client
 */
function waitIn({ 'retry-after': value = '' }: Reply['headers'], now: number): number | undefined {
  const wait = readRetryAfter({ 'retry-after': value }, now)
  return wait === undefined ? undefined : Math.min(wait, LONGEST_DURATION)
}

// The name of the parameter may be percent-encoded; servers decode it to the same name.
const TOKEN_PARAMETER = /((?:^|&)(?:t|%74)(?:o|%6f)(?:k|%6b)(?:e|%65)(?:n|%6e)=)[^&]*/gi

/** A query without the control token, or without an API key. */
function shownQuery({ request: { query }, dialect }: Exchange): string {
  if (dialect === undefined) return withoutToken(query)
  const names = keyLocations(dialect.key).flatMap(({ query: name }) => name ?? [])
  return names.reduce(withoutKey, query)
}

function withoutKey(query: string, name: string): string {
  const parameters = query.split('&').map((text) => {
    const [given = ''] = new URLSearchParams(text).keys()
    return given === name ? `${name}=***` : text
  })
  return parameters.join('&')
}

/** A query without the control token. */
function withoutToken(query: string): string {
  return query.replace(TOKEN_PARAMETER, '$1***')
}
