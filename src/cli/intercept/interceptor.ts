import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { after } from '../../engine/awaitable.js'
import { oncePer } from '../../engine/recent.js'
import { Problem } from '../../exchange/problem.js'
import { hasOperation, refuse } from '../../hosts/api.js'
import { buildListener } from '../../hosts/express/app.js'
import type { AppOptions } from '../../hosts/express/app-options.js'
import { bind } from '../../hosts/express/bind.js'
import { createServer } from '../../hosts/express/create-server.js'
import { type Middleware, partsOf } from '../../hosts/express/node-request.js'
import { sendReply } from '../../hosts/express/send-reply.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { Interception } from './interception.js'
import { createProxy } from './proxy.js'

/** Milliseconds in which a client must begin, and then end its handshake. */
const FIRST_BYTE = 10_000
/** The first byte of a TLS connection. */
const TLS_HANDSHAKE = 0x16

/**
 * Answers requests for the hosts of services, at a port of this machine: as a server with TLS, to which the preloads
 * connect, and as a proxy for programs that read its address from the environment.
 */
export class Interceptor {
  /** The names of the services. */
  readonly dialects: readonly string[]
  /** The environment variables that lead a program here. */
  readonly variables: Readonly<Record<string, string>>
  readonly #server: Server
  readonly #sockets: ReadonlySet<Socket>

  private constructor(interception: Interception, server: Server, sockets: ReadonlySet<Socket>) {
    this.#server = server
    this.#sockets = sockets
    this.dialects = interception.settings.hosts.dialects
    this.variables = interception.variables((server.address() as AddressInfo).port)
  }

  /** Starts an interceptor. @param options what the server of the simulator has as well */
  static async listen(
    sim: Simulator,
    interception: Interception,
    options: Pick<AppOptions, 'overrides' | 'cors'> = {},
  ): Promise<Interceptor> {
    const service = serviceServer(sim, interception, options)
    const encrypt = encryption(interception, service)
    const proxy = createProxy({ sim, interception, service, encrypt })
    const sockets = new Set<Socket>()
    // As in a server of HTTP: a client may end its side before it has the answer.
    const server = createNetServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
      socket.setTimeout(FIRST_BYTE, () => socket.destroy())
      // Both kinds of clients share one port, so that one address is enough for them.
      socket.once('data', (first) => {
        socket.setTimeout(0).removeAllListeners('timeout').pause()
        socket.unshift(first)
        if (first[0] === TLS_HANDSHAKE) {
          interception.traffic.connections.preload += 1
          encrypt(socket)
        } else {
          proxy.emit('connection', socket)
          process.nextTick(() => socket.resume())
        }
      })
    })
    await bind(server, 0, '127.0.0.1')
    // Node limits the time of requests only in servers that listen.
    for (const each of [service, proxy]) each.emit('listening')
    server.on('close', () => {
      for (const each of [service, proxy]) each.close()
    })
    return new Interceptor(interception, server, sockets)
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

/** Answers requests for the hosts of services. It listens nowhere: connections are passed to it. */
function serviceServer(
  sim: Simulator,
  { settings: { hosts }, traffic }: Interception,
  options: Pick<AppOptions, 'overrides' | 'cors'>,
): HttpServer {
  const addressOf = oncePer((request: IncomingMessage) => hosts.addressOf(request) ?? NOWHERE)
  const listener = buildListener(sim, { ...options, addressOf })
  const answer: Middleware = (request, response, next) => {
    const { origin, path } = addressOf(request)
    if (origin === '') {
      const { host = '' } = request.headers
      const problem = new Problem('forbidden', `${host.slice(0, 100)} is not a host of a simulated service.`)
      const { method = '', url = '' } = request
      sendReply(response, refuse(sim, { method, path: partsOf(url).path }, problem), (error) =>
        sim.events.emit('error', error),
      )
      return
    }
    traffic.count('requests', origin)
    after(hasOperation(sim, path), (isKnown) => {
      if (!isKnown) traffic.count('unknownPaths', `${request.method} ${shown(origin, request)}`)
    })
    listener(request, response, next)
  }
  return createServer(sim, answer).on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const { origin } = addressOf(request)
    traffic.count('unknownPaths', `WebSocket ${shown(origin, request)}`)
    socket.end('HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
}

/** The characters of a path in a report. */
const LONGEST_PATH = 200

function shown(origin: string, { url = '' }: IncomingMessage): string {
  return origin + partsOf(url).path.slice(0, LONGEST_PATH)
}

const NOWHERE = { origin: '', path: '' }

/** Returns a function that ends TLS on a connection, and passes the requests in it to a server. */
function encryption(
  { certificate: { certificate, key }, traffic }: Interception,
  service: HttpServer,
): (socket: Socket) => void {
  /** The connections below TLS, by the port of the client. */
  const below = new Map<number | undefined, Socket>()
  const pem = key.export({ type: 'pkcs8', format: 'pem' })
  const server = createTlsServer({
    cert: certificate,
    key: pem,
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: FIRST_BYTE,
  })
    .on('secureConnection', (secure: TLSSocket) => {
      const socket = below.get(secure.remotePort)
      // Node can reset only a connection without TLS.
      secure.resetAndDestroy = () => {
        socket?.resetAndDestroy()
        return secure
      }
      service.emit('connection', secure)
    })
    .on('tlsClientError', ({ code, message }: NodeJS.ErrnoException, secure: TLSSocket) => {
      const name = 'servername' in secure ? String(secure.servername || 'a host without a name') : ''
      if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') secure.destroy()
      if (code !== 'ECONNRESET') traffic.count('failed', `${name}: ${reasonOf(code, message)}`)
    })
  return (socket) => {
    const { remotePort } = socket
    below.set(remotePort, socket)
    socket.once('close', () => below.delete(remotePort))
    server.emit('connection', socket)
  }
}

function reasonOf(code: string | undefined, message: string): string {
  if (code === 'ERR_SSL_NO_SUITABLE_ALPN_PROTOCOL' || /no application protocol/.test(message))
    return 'the client speaks HTTP/2 only'
  if (/unknown ca|bad certificate|certificate unknown/i.test(message))
    return 'the client did not trust the certificate'
  return code ?? message
}
