import { stopwatch, systemNow } from '../../engine/clock/system-clock.js'
import type { PassedExchange, PassedResponse } from '../../record/recording/passed-exchange.js'
import type { OwnRequest } from './own-polls.js'
import { CapturedBody } from './proxy/captured-body.js'
import { endToEnd, joined } from './proxy/headers.js'
import { replaceUrls } from './proxy/replace-urls.js'
import { send } from './proxy/send.js'
import type { Replacements } from './proxy/upstream.js'

/** Milliseconds after which a request of tasksim itself fails. */
const TIMEOUT = 60_000

/**
 * Sends a request of tasksim itself to the service. Never fails: without an answer, the exchange has none.
 * @param replacements of what the recording must not contain
 */
export async function ownExchange(
  { url, headers }: OwnRequest,
  replacements: Replacements,
  stopped: AbortSignal,
): Promise<PassedExchange> {
  const [at, begin] = [systemNow(), stopwatch()]
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT)])
  const response = await answerTo({ url, headers }, replacements, signal).catch(() => undefined)
  return {
    at,
    took: Math.round(stopwatch() - begin),
    isOwn: true,
    request: { method: 'GET', url, headers: joined(headers), body: new Uint8Array() },
    response,
  }
}

async function answerTo(
  { url, headers }: OwnRequest,
  replacements: Replacements,
  signal: AbortSignal,
): Promise<PassedResponse> {
  const answer = await send({ method: 'GET', url, headers, body: undefined }, signal)
  const captured = new CapturedBody()
  for await (const piece of answer) captured.add(piece)
  const { body, longBody } = captured.result()
  return {
    status: answer.statusCode ?? 0,
    headers: joined(endToEnd(answer)),
    body: replacements.length === 0 ? body : replaceUrls(Buffer.from(body), replacements),
    longBody,
  }
}
