import type { IncomingMessage, ServerResponse } from 'node:http'

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
