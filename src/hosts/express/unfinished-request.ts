import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { startTimer } from '../../engine/clock/system-clock.js'

/** Requests whose client waits for a 100 before it sends the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** Keeps a client waiting for its 100, until somebody reads the body. */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response)
}

/** Lets a client send the body, if it waits for that. */
export function sendContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue()
  waiting.delete(request)
}

/** Whether a client still waits for its 100, and may therefore never send the body that it announced. */
export function isContinueHeld(request: IncomingMessage): boolean {
  return waiting.has(request)
}

/** The last request of each connection that was answered before all of it had arrived. */
const answeredEarly = new WeakMap<Socket, IncomingMessage>()

/** Remembers that a request is answered before all of it has arrived. */
export function rememberEarlyAnswer(request: IncomingMessage): void {
  answeredEarly.set(request.socket, request)
}

/** Whether the next bytes of a connection belong to a request that is answered already. */
export function isAnsweredEarly(socket: Socket): boolean {
  return answeredEarly.get(socket)?.complete === false
}

/** How much of a rejected body is read and discarded. */
const MOST_BYTES = 100 * 1024 * 1024
/** In milliseconds: how long a client may send nothing. */
const LONGEST_SILENCE = 5_000
/** How often the longest silence may pass in all. */
const MOST_WAITS = 6

/**
 * Delays the end of a connection until the client has sent the rest of its request, for a bounded time and size; call
 * it before the end of the response. A connection that is closed with bytes unread is reset, and a client that is
 * still sending fails before it reads the answer. (nginx calls this a lingering close.)
 */
export function lingerUntilReceived(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  if (request.complete || response.shouldKeepAlive || socket.destroyed) return
  // Node closes the connection with this method after the last response. It only half-closes it now.
  socket.destroySoon = () => void socket.end()
  let bytes = 0
  let seen = -1
  let waits = 0
  const watch = () => {
    if (bytes === seen || ++waits > MOST_WAITS) return void socket.destroy()
    seen = bytes
    stop = startTimer(LONGEST_SILENCE, watch)
  }
  let stop = () => {}
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) socket.destroy()
  })
  request.once('end', () => {
    socket.destroySoon = Socket.prototype.destroySoon
    socket.destroySoon()
  })
  socket.once('close', () => stop())
  watch()
}
