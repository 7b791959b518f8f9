import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { startTimer } from '../../engine/clock/system-clock.js'

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
