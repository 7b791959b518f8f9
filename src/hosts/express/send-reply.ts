import type { Response } from 'express'
import type { Reply } from '../../http/exchange.js'
import { rememberEarlyAnswer } from './early-answer.js'
import { isContinueHeld } from './expect-continue.js'
import { lingerUntilReceived } from './linger.js'
import { sendTransmission } from './send-transmission.js'

/** Sends an answer; the length is always known, so there is one write and no chunking. */
export function sendReply(response: Response, reply: Reply): void {
  // Somebody else has answered, such as a timeout in front of the app.
  if (response.headersSent) return
  const { status, headers, body, transmission } = reply
  if (transmission !== undefined) {
    sendTransmission(response, reply, transmission)
    return
  }
  if (body !== undefined)
    headers['content-length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length)
  if (!response.req.complete) endAfterRequest(response, headers)
  response.writeHead(status, headers).end(body)
}

/** The request is still arriving, or its body never will. */
function endAfterRequest(response: Response, headers: Reply['headers']): void {
  rememberEarlyAnswer(response.req)
  if (isContinueHeld(response.req)) {
    headers['connection'] = 'close'
    response.shouldKeepAlive = false
  }
  lingerUntilReceived(response.req, response)
}
