import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AccessOptions } from './access/access.js'

/**
 * An MSW request handler, such as `http.get(...)` gives. It is described here by what it is known by, so that a
 * project without MSW can compile against this package.
 */
export interface OverrideHandler {
  /** What the handler says of itself. */
  readonly info: object
  /** Answers a request. */
  run(args: never): Promise<unknown>
}

/** What stands in front of the service in an app. */
export interface AppOptions extends AccessOptions {
  /**
   * MSW handlers that answer before the simulator does; what they pass through reaches it unharmed. They need the
   * packages `msw` and `@mswjs/http-middleware`.
   */
  readonly overrides?: readonly OverrideHandler[]
}

/**
 * The service as an Express app. It is described here by what one does with it, so that a project without Express's
 * types can compile against this package.
 */
export interface SimulatorApp {
  /** Answers a request: what `createServer` of `node:http` and `app.use` of Express take. */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void
  /** Listens on a port of all addresses of the machine, where 0 picks a free port, or on the path of a socket. */
  listen(portOrPath: number | string, callback?: (error?: Error) => void): Server
  /** Listens on a port of one address. */
  listen(port: number, hostname: string, callback?: (error?: Error) => void): Server
}
