import { type Fault, isExecuted } from '../../engine/requests/fault.js'
import type { MatchedFault } from '../../engine/requests/fault-rules.js'
import type { ServiceOperation } from '../../engine/requests/operations.js'
import { drawDelay } from '../../scenario/model/delay.js'
import type { Reply, Transmission } from '../exchange.js'
import type { Exchange } from '../operation.js'
import { alteredBody } from './altered-body.js'
import { brokenOff, slow, whole } from './pieces.js'
import { scriptedReply } from './scripted-reply.js'

/** There is no answer, and so no status: 0 is what fetch calls it. */
const noAnswer = (): Reply => ({ status: 0, headers: {}, body: undefined })

/**
 * Answers a request that a fault befalls.
 * @param run carries the operation out; it is not called where the fault takes its place
 */
export async function inject(
  { fault, rule, chance }: MatchedFault,
  exchange: Exchange,
  operation: ServiceOperation,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const { sim } = exchange
  exchange.fault = rule
  const own = isExecuted(fault) ? await run() : noAnswer()
  if (fault.delay !== undefined) await sim.pause(drawDelay(fault.delay, () => chance.stream('fault delay')))
  const reply = fault.status === undefined ? own : scriptedReply(fault, fault.status, exchange)
  const last =
    operation === 'tasks.retrieve' ? sim.requestPolicy.lastAnswers.get(exchange.taskId ?? '') : undefined
  const altered = alteredBody(reply, fault, last)
  const headers = { ...altered.headers, ...lowerCased(fault.headers) }
  return { ...altered, headers, ...transmissionOf(altered, fault, exchange) }
}

function transmissionOf({ body }: Reply, fault: Fault, { sim }: Exchange): { transmission?: Transmission } {
  const { hang, reset, cut, bytes_per_second: speed } = fault
  if (hang) return { transmission: { hangs: true } }
  if (reset === 'before' || reset === 'during') return { transmission: { ends: reset } }
  const share = reset === 'after' ? 0 : cut
  if (share === undefined && speed === undefined) return {}
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
  const sent = share === undefined ? bytes : bytes.subarray(0, Math.floor(bytes.length * share))
  const pieces = speed === undefined ? whole(sent) : slow(sent, speed, (wait) => sim.pause(wait))
  if (reset === 'after') return { transmission: { pieces: brokenOff(pieces), isWhole: false, resets: true } }
  const isWhole = sent.length === bytes.length
  return { transmission: { pieces: isWhole ? pieces : brokenOff(pieces), isWhole } }
}

function lowerCased(headers: Fault['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
