import {
  createServer as createNodeServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
// Imported, because the fake timers of a test runner replace the global function.
import { setImmediate } from 'node:timers'
import { Problem } from '../../http/exchange/problem.js'
import type { Simulator } from '../../simulator.js'
import { batched } from './batched.js'
import type { Middleware } from './middleware.js'
import { Protocol, type ProtocolError } from './protocol.js'
import { holdContinue } from './unfinished-request.js'

/** Timeouts in milliseconds, so that a slow client does not hold a connection forever. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  // The listener rejects a request without a Host, in the form of the service.
  requireHostHeader: false,
}

type Limits = typeof LIMITS

interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * An HTTP server for the app of a simulator. It answers even invalid requests in the form of the service.
 * @param limits overrides of the default timeouts, in milliseconds
 */
export function createServer(sim: Simulator, app: Middleware, limits: Partial<Limits> = {}): Server {
  const protocol = new Protocol(sim)
  const listener = protocol.listener(app)
  // When Node has read all sockets that have data.
  const listenSoon = batched<Arrived>(setImmediate, ({ request, response }) => listener(request, response))
  return createNodeServer({ ...LIMITS, ...limits }, (request, response) => listenSoon({ request, response }))
    .on('checkContinue', (request, response) => {
      holdContinue(request, response)
      listenSoon({ request, response })
    })
    .on('checkExpectation', (request, response) =>
      protocol.reject(
        request,
        response,
        new Problem('expectation_failed', 'Only `Expect: 100-continue` is supported. Omit the header.'),
      ),
    )
    .on('connect', (_, socket) => protocol.rejectTunnel(socket as never))
    .on('clientError', (error: ProtocolError, socket) => protocol.rejectBytes(error, socket as never))
}
