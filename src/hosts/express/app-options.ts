import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AccessOptions } from './access.js'

/**
 * An MSW request handler, such as the result of `http.get(...)`. This minimal type lets a project without MSW compile
 * against this package.
 */
export interface OverrideHandler {
  /** Describes the handler. */
  readonly info: object
  /** Answers a request. */
  run(args: never): Promise<unknown>
}

/** Options of an app: access rules and overrides. */
export interface AppOptions extends AccessOptions {
  /**
   * MSW handlers that can answer before the simulator. Requests that they pass through reach the simulator unchanged.
   * They need the packages `msw` and `@mswjs/http-middleware`.
   */
  readonly overrides?: readonly OverrideHandler[]
}

/**
 * The service as an Express app. This minimal type lets a project without Express's types
 * compile against this package.
 */
export interface SimulatorApp {
  /** Answers a request. Pass it to `createServer` of `node:http`, or to `app.use` of Express. */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void
  /** Listens on all addresses of the machine at a port, where 0 selects a free one, or on the path of a socket. */
  listen(portOrPath: number | string, callback?: (error?: Error) => void): Server
  /** Listens on a port of one address. */
  listen(port: number, hostname: string, callback?: (error?: Error) => void): Server
}
