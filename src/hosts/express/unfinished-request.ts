import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { startTimer } from '../../engine/clock/system-clock.js'

/** Requests whose client waits for `100 Continue` before it sends the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** Delays `100 Continue` until a reader needs the body. */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response)
}

/** Sends `100 Continue` if the client waits for it. */
export function sendContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue()
  waiting.delete(request)
}

/** Whether the client still waits for `100 Continue`, and so may never send its body. */
export function isContinueHeld(request: IncomingMessage): boolean {
  return waiting.has(request)
}

/** The last request of each connection that was answered before it had arrived completely. */
const answeredEarly = new WeakMap<Socket, IncomingMessage>()

/** Records that a request is answered before it has arrived completely. */
export function rememberEarlyAnswer(request: IncomingMessage): void {
  answeredEarly.set(request.socket, request)
}

/** Whether the next bytes of a connection belong to a request that was answered early. */
export function isAnsweredEarly(socket: Socket): boolean {
  return answeredEarly.get(socket)?.complete === false
}

/** The maximum number of bytes of a rejected body to read and discard. */
const MAX_BYTES = 100 * 1024 * 1024
/** The longest time without data from a client, in milliseconds. */
const LONGEST_SILENCE = 5_000
/** The maximum number of waits of this length before the connection is closed. */
const MAX_WAITS = 6

/**
 * Delays the end of a connection until the client has sent the rest of its request, for a bounded time and size; call
 * it before the end of the response. A connection that is closed with bytes unread is reset, and a client that is
 * still sending fails before it reads the answer. (nginx calls this a lingering close.)
 */
export function lingerUntilReceived(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  if (request.complete || response.shouldKeepAlive || socket.destroyed) return
  // Node calls this method after the last response to close the connection. The replacement only half-closes it.
  socket.destroySoon = () => void socket.end()
  let bytes = 0
  let seen = -1
  let waits = 0
  const watch = () => {
    if (bytes === seen || ++waits > MAX_WAITS) return void socket.destroy()
    seen = bytes
    stop = startTimer(LONGEST_SILENCE, watch)
  }
  let stop = () => {}
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > MAX_BYTES) socket.destroy()
  })
  request.once('end', () => {
    socket.destroySoon = Socket.prototype.destroySoon
    socket.destroySoon()
  })
  socket.once('close', () => stop())
  watch()
}
