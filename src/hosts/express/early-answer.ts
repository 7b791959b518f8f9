import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** The last request of each connection that was answered before all of it had arrived. */
const requests = new WeakMap<Socket, IncomingMessage>()

/** Remembers that a request is answered before all of it has arrived. */
export function rememberEarlyAnswer(request: IncomingMessage): void {
  requests.set(request.socket, request)
}

/** Whether the next bytes of a connection belong to a request that is answered already. */
export function isAnsweredEarly(socket: Socket): boolean {
  return requests.get(socket)?.complete === false
}
