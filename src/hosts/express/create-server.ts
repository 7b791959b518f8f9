import {
  createServer as createNodeServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers'
import { Problem } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'
import { refuse } from '../api.js'
import { batched } from './batched.js'
import type { Middleware } from './node-request.js'
import { sendReply } from './send-reply.js'
import { holdContinue, isAnsweredEarly } from './unfinished-request.js'

/** In milliseconds, so that a slow client does not hold a connection forever. */
export const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
}

const LIMITS = {
  ...TIMEOUTS,
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
  // When Node has read all sockets that have data.
  const listenSoon = batched<Arrived>(setImmediate, listener(sim, app))
  return createNodeServer({ ...LIMITS, ...limits }, (request, response) => listenSoon({ request, response }))
    .on('checkContinue', (request, response) => {
      holdContinue(request, response)
      listenSoon({ request, response })
    })
    .on('checkExpectation', (request, response) =>
      reject(
        sim,
        request,
        response,
        new Problem('expectation_failed', 'Only `Expect: 100-continue` is supported. Omit the header.'),
      ),
    )
    .on('connect', (_, socket) =>
      close(
        sim,
        socket as Socket,
        { method: 'CONNECT', path: '' },
        new Problem('method_not_allowed', NO_PROXY),
      ),
    )
    .on('clientError', (error: ProtocolError, socket) => rejectBytes(sim, error, socket as Socket))
}

const NO_PROXY =
  'This is not a proxy for other servers, and CONNECT is not supported. Use its URL as the base URL of the client.'

/** Returns a function that passes a request to an app, unless its head is invalid. */
function listener(sim: Simulator, app: Middleware): (arrived: Arrived) => void {
  return ({ request, response }) => {
    const problem = problemOfHead(request)
    if (problem !== undefined) {
      reject(sim, request, response, problem)
      return
    }
    app(request, response, () => {
      // A response that has started cannot be replaced.
      if (response.headersSent) response.destroy()
      else reject(sim, request, response, invalid(BAD_TARGET))
    })
  }
}

/** Answers a request without the app, in the error format of the service. */
function reject(sim: Simulator, request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const { method = '', url = '' } = request
  const reply = refuse(sim, { method, path: url.replace(/\?.*/s, '') }, problem)
  sendReply(response, reply, (error) => sim.events.emit('error', error))
}

/** Answers bytes that are not an HTTP request, and closes the connection. */
function rejectBytes(sim: Simulator, error: ProtocolError, socket: Socket & InFlight): void {
  // A client that has disconnected, or sent nothing in time, gets no answer.
  const hasLeft = !socket.writable || error.code === 'ECONNRESET' || endsInBody(error, socket)
  if (hasLeft || socket.bytesRead === 0 || isAnswered(socket)) socket.destroy()
  else close(sim, socket, { method: '', path: '' }, problemOf(error))
}

/** Answers on a socket without a response of Node, and closes it. */
function close(
  sim: Simulator,
  socket: Socket,
  request: { readonly method: string; readonly path: string },
  problem: Problem,
): void {
  const { status, headers, body } = refuse(sim, request, problem)
  const length = Buffer.byteLength(String(body))
  const fields = { ...headers, 'content-length': String(length), Connection: 'close' }
  const lines = Object.entries(fields).map((field) => `${field.join(': ')}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

/** Node's error for bytes that it could not parse. */
type ProtocolError = NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array }

/** Node's internal field for the response in progress. Node itself reads it before it answers such bytes. */
interface InFlight {
  readonly _httpMessage?: Pick<ServerResponse, 'headersSent' | 'req'> | null
}

/** Whether the client closed its side within a body. The reader of the body handles that. */
function endsInBody({ code }: ProtocolError, { _httpMessage: response }: InFlight): boolean {
  return code === 'HPE_INVALID_EOF_STATE' && response?.req.complete === false
}

/** Whether the request has an answer already. */
function isAnswered(socket: Socket & InFlight): boolean {
  return socket._httpMessage?.headersSent === true || isAnsweredEarly(socket)
}

function problemOf({ code, message, rawPacket }: ProtocolError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'headers_too_large',
        'The headers are larger than 16 KB. Send fewer or shorter ones.',
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large', 'The chunk extensions are larger than 16 KB. Send none.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time. Send it without a pause.')
    default:
      return invalid(
        rawPacket?.[0] === TLS_HANDSHAKE
          ? 'The client speaks TLS, and this server does not. Use a URL that starts with http://.'
          : `This is not a valid HTTP request: ${message}.`,
      )
  }
}

const TLS_HANDSHAKE = 0x16

function invalid(message: string): Problem {
  return new Problem('invalid_request', message)
}

const BAD_TARGET = 'The request target is not a valid path or URL. Send a path such as /api/v1/tasks.'

function problemOfHead(request: IncomingMessage): Problem | undefined {
  const { url = '', httpVersion } = request
  const hosts = countHosts(request)
  if (hosts > 1) return invalid('The request has more than one Host header. Send one.')
  if (hosts === 0 && httpVersion === '1.1') return invalid('The request has no Host header. Send one.')
  return url.startsWith('/') || url === '*' || URL.canParse(url) ? undefined : invalid(BAD_TARGET)
}

/** Node keeps the first of several Host headers, but a proxy in front of it may use another. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
