import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** How long a client may take, in milliseconds: one that sends a byte now and then holds no connection for ever. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  // The listener rejects a request without a Host, in the form of the service.
  requireHostHeader: false,
}

export type Limits = typeof LIMITS

/**
 * An HTTP server for an Express app at a fraction of the usual cost.
 *
 * With each request Express sets the prototypes of `req` and `res` to the app's own. Node has built both by
 * then, and an object whose prototype changes loses all that the engine had learned about its shape. Here Node
 * builds them as subclasses whose prototypes are the app's to begin with, so setting them again changes nothing.
 * Express itself is untouched, and what a user puts on `app.request` or `app.response` still works.
 * @param limits what is to be other than usual of how long a client may take, in milliseconds
 * @param listener what hands requests to the app; the app itself unless given
 */
export function createFastServer(
  app: Express,
  limits: Partial<Limits> = {},
  listener: RequestListener = app,
): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  app.request = adopt(AppRequest.prototype, app.request)
  app.response = adopt(AppResponse.prototype, app.response)
  return createServer(
    { IncomingMessage: AppRequest, ServerResponse: AppResponse, ...LIMITS, ...limits },
    listener,
  )
}

/** Puts what Express knows behind a prototype that Node builds objects with. */
function adopt<Own extends object>(prototype: object, own: Own): Own {
  return Object.setPrototypeOf(prototype, own)
}
