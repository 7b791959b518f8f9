import type { Response } from 'express'
import type { Reply } from '../../api/exchange.js'
import { sendTravelling } from './send-travelling.js'

/** Sends an answer; the length is always known, so there is one write and no chunking. */
export function sendReply(response: Response, reply: Reply): void {
  // Somebody else has answered, such as a timeout in front of the app.
  if (response.headersSent) return
  const { status, headers, body, travel } = reply
  if (travel !== undefined) {
    sendTravelling(response, reply, travel)
    return
  }
  if (body === undefined) {
    response.writeHead(status, headers).end()
    return
  }
  headers['content-length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length)
  response.writeHead(status, headers).end(body)
}
