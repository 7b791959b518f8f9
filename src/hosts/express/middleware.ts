import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request of Node's server, with what Express adds to it, if it has passed through Express. */
export interface HostRequest extends IncomingMessage {
  /** The path at which the app is mounted. */
  readonly baseUrl?: string
  readonly protocol?: string
  /** The result of a body parser. */
  readonly body?: unknown
}

/**
 * Answers a request, or passes it on: an Express app, or a part of one that can also stand alone.
 * @param next continues without an answer, or with an error
 */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void
