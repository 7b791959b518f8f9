import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isEqual } from '../../engine/digest.js'
import { globMatcher } from '../../engine/scenario/glob.js'
import { Problem } from '../../exchange/problem.js'
import { refuse } from '../../hosts/api.js'
import { TIMEOUTS } from '../../hosts/express/create-server.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { Interception } from './interception.js'
import { refusalOf } from './preloads/rules.js'
import { openTunnel } from './tunnel.js'

/** What a proxy passes connections and requests to. */
interface ProxyParts {
  readonly sim: Simulator
  readonly interception: Interception
  /** Answers requests for the hosts of services. */
  readonly service: Server
  /** Ends TLS on a connection. */
  readonly encrypt: (socket: Socket) => void
}

/**
 * Creates a proxy that leads to the hosts of services, refuses all other hosts, and lets connections to allowed hosts
 * pass. It listens nowhere: connections are passed to it.
 */
export function createProxy({ sim, interception, service, encrypt }: ProxyParts): Server {
  const { settings, secret, traffic } = interception
  const { hosts, allowed, env } = settings
  const matchers = allowed.map(globMatcher)
  const isAllowed = (host: string) => matchers.some((matches) => matches(host))
  const countRefused = (method: string, authority: string) => {
    traffic.count('refused', authority)
    refuse(sim, { method, path: authority }, new Problem('forbidden', refusalOf(nameOf(authority))))
  }
  return createServer(TIMEOUTS, (request, response) => {
    const { url = '' } = request
    if (hosts.addressOf(request) !== undefined && !url.startsWith('/')) {
      // Some clients do not open a tunnel, but send the request itself to the proxy.
      service.emit('request', request, response)
      return
    }
    const authority = /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).host : undefined
    if (authority !== undefined) countRefused(request.method ?? '', authority)
    answer(response, authority)
  }).on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const authority = (request.url ?? '').toLowerCase()
    const host = nameOf(authority)
    if (head.length > 0) socket.unshift(head)
    if (authority.length > LONGEST_AUTHORITY || !AUTHORITY.test(authority)) {
      end(socket, '400 Bad Request', 'CONNECT needs a host and a port, such as api.example.com:443.\n')
    } else if (hosts.has(authority)) {
      traffic.connections.proxy += 1
      socket.write(ESTABLISHED, () => encrypt(socket))
    } else if (!isAllowed(host)) {
      countRefused('CONNECT', authority)
      end(socket, '403 Forbidden', `${refusalOf(host)}\n`)
    } else if (!hasSecret(request, secret)) {
      const challenge = 'Proxy-Authenticate: Basic realm="tasksim"\r\n'
      end(socket, '407 Proxy Authentication Required', 'Use the address in HTTPS_PROXY.\n', challenge)
    } else {
      traffic.count('passed', authority)
      openTunnel(authority, env).then(
        (far) => {
          far.on('error', () => socket.destroy())
          if (socket.destroyed) far.destroy()
          socket.on('close', () => far.destroy()).write(ESTABLISHED)
          socket.pipe(far).pipe(socket)
        },
        (error: Error) => end(socket, '502 Bad Gateway', `${error.message}\n`),
      )
    }
  })
}

/** Anything else, such as a path or a user name, could lead to another host than the one whose name is compared. */
const AUTHORITY = /^(?:[a-z\d_](?:[\w.-]*[\w.])?|\[[\da-f:.]+\]):\d{1,5}$/
const LONGEST_AUTHORITY = 260
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** The name of a host, without the port. */
function nameOf(authority: string): string {
  return authority.replace(/:\d+$/, '')
}

/** Refuses a request to a host; one to the proxy itself is a mistake. */
function answer(response: ServerResponse, authority: string | undefined): void {
  const [status, text] =
    authority === undefined
      ? [400, 'This is the proxy of tasksim --intercept. Clients find it in HTTPS_PROXY.']
      : [403, refusalOf(nameOf(authority))]
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`)
}

function end(socket: Socket, status: string, text: string, headers = ''): void {
  const length = Buffer.byteLength(text)
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\n${headers}Content-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  )
}

function hasSecret({ headers }: IncomingMessage, secret = ''): boolean {
  const [, given = ''] = /^Basic +(\S+)$/i.exec(headers['proxy-authorization'] ?? '') ?? []
  return isEqual(given, Buffer.from(`tasksim:${secret}`).toString('base64'))
}
