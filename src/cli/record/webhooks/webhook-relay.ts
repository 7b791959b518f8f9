import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { stopwatch, systemNow } from '../../../engine/clock/system-clock.js'
import { sendContinue } from '../../../hosts/express/unfinished-request.js'
import type { PassedExchange, PassedResponse } from '../../../record/recording/passed-exchange.js'
import { endToEnd, joined, without } from '../proxy/message.js'
import { passAnswer } from '../proxy/pass-answer.js'
import { causeOf, disconnection, send } from '../proxy/send.js'

const UNCHANGED = { recorded: [], headers: [], body: [] }

/**
 * Forwards a webhook to the receiver of the client without a change, so that its signature stays valid. The answer of
 * the receiver goes back to the service.
 * @param onWebhook called with the webhook and the answer of the receiver
 */
export async function relayWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  receiver: string,
  onWebhook: (passed: PassedExchange) => void,
): Promise<void> {
  const [at, begin] = [systemNow(), stopwatch()]
  const { method = 'POST' } = request
  sendContinue(request)
  const headers = without(endToEnd(request), 'host', 'expect')
  const body = await buffer(request)
  const signal = disconnection(response)
  const answer = async () => {
    const sent = { method, url: receiver, headers: { ...headers, 'content-length': body.length }, body }
    return passAnswer(await send(sent, signal), response, UNCHANGED, begin)
  }
  const passed = await answer().catch((error: unknown) => refuse(response, error))
  onWebhook({
    at,
    took: Math.round(stopwatch() - begin),
    isOwn: false,
    request: { method, url: receiver, headers: joined(headers), body },
    response: passed,
  })
}

/** Tells the service that the receiver is not reachable, so that it tries again. */
function refuse(response: ServerResponse, error: unknown): PassedResponse | undefined {
  if (response.headersSent) response.destroy()
  else
    response.writeHead(502, { 'content-type': 'text/plain' }).end(`The receiver failed: ${causeOf(error)}\n`)
  return undefined
}
