import type { Server } from 'node:http'
import type { Express } from 'express'
import { Problem } from '../../http/exchange/problem.js'
import type { Simulator } from '../../simulator.js'
import { createFastServer, type Limits } from './fast-server.js'
import { Protocol, type ProtocolError } from './protocol.js'
import { holdContinue } from './unfinished-request.js'

/**
 * An HTTP server for the app of a simulator. It answers even invalid requests in the form of the service.
 * @param limits overrides of the default timeouts, in milliseconds
 */
export function createServer(sim: Simulator, app: Express, limits: Partial<Limits> = {}): Server {
  const protocol = new Protocol(sim)
  const listener = protocol.listener(app)
  return createFastServer(app, limits, listener)
    .on('checkContinue', (request, response) => {
      holdContinue(request, response)
      listener(request, response)
    })
    .on('checkExpectation', (request, response) =>
      protocol.reject(
        request,
        response,
        new Problem('expectation_failed', 'Only `Expect: 100-continue` is supported. Omit the header.'),
      ),
    )
    .on('clientError', (error: ProtocolError, socket) => protocol.rejectBytes(error, socket as never))
}
