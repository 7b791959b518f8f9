import { NEXT_PYTHON_PRELOAD } from '../exec/preload.js'

/** The variable with the port of the interceptor. Without it, the preloads change nothing. */
export const PORT_VARIABLE = 'TASKSIM_INTERCEPT_PORT'

/** Which connections the preloads change. */
export interface PreloadRules {
  /** The authorities that lead to the interceptor, such as `api.replicate.com:443`. */
  readonly authorities: readonly string[]
  /** Patterns of further hosts whose connections pass; `*` matches any characters. */
  readonly passing: readonly string[]
}

/** Says that a connection was refused, and how to let it pass. */
export function refusalOf(host: string): string {
  return `tasksim refused the connection to ${host}, which is not a host of a simulated service. To let it pass, add --intercept-allow ${host}`
}

/**
 * Node's preload. It changes where a connection goes, below TLS, so that it reaches every client: also those that use
 * neither the variables of proxies nor the global agents.
 */
export function nodePreload({ authorities, passing }: PreloadRules): string {
  return `'use strict'
const { isIP, Socket } = require('node:net')
const port = Number(process.env.${PORT_VARIABLE})
const authorities = new Set(${JSON.stringify(authorities)})
const passing = [${passing.map(pattern).join(', ')}]
const connect = Socket.prototype.connect

// A socket is connected with options, with a port and a host, or with an array that \`net\` has normalized.
function targetOf([first, second]) {
  const options = typeof first === 'object' ? first : { port: first, host: second }
  const { path, port = 0, host = 'localhost', servername = '' } = options ?? {}
  if (path) return undefined
  const name = isIP(host) !== 0 && servername ? servername : host
  return { port: Number(port), host: String(name).toLowerCase().replace(/\\.$/, '') }
}

function isForeign({ port, host }) {
  return port === 443 && isIP(host) === 0 && !passing.some((pattern) => pattern.test(host))
}

if (port > 0)
  Socket.prototype.connect = function (...args) {
    const given = Array.isArray(args[0]) ? args[0] : args
    const target = targetOf(given)
    if (target === undefined) return connect.apply(this, args)
    const authority = target.host + ':' + target.port
    if (authorities.has(authority)) {
      const options = typeof given[0] === 'object' ? given[0] : {}
      if (typeof given[0] !== 'object' && typeof given[1] === 'string') given.splice(1, 1)
      given[0] = { ...options, host: '127.0.0.1', port, lookup: undefined }
    } else if (isForeign(target)) {
      // Counts the refusal in the report.
      connect.call(new Socket(), { host: '127.0.0.1', port }).on('error', () => {}).resume()
        .end('CONNECT ' + authority + ' HTTP/1.1\\r\\nHost: ' + authority + '\\r\\n\\r\\n')
      const error = new Error(${JSON.stringify(refusalOf('HOST'))}.replaceAll('HOST', target.host))
      process.nextTick(() => this.destroy(Object.assign(error, { code: 'ECONNREFUSED', syscall: 'connect' })))
      return this
    }
    return connect.apply(this, args)
  }
`
}

function pattern(text: string): string {
  return `/^${text.replace(/[.+?^${}()|[\]\\/]/g, '\\$&').replaceAll('*', '.*')}$/i`
}

/**
 * Python's preload. It changes where the names of hosts lead, and adds the certificate to what every client trusts.
 * @param certificate the path of the certificate
 */
export function pythonPreload({ authorities, passing }: PreloadRules, certificate: string): string {
  return `import fnmatch
import os
import socket
import ssl

PORT = os.environ.get("${PORT_VARIABLE}")
AUTHORITIES = set(${JSON.stringify(authorities)})
PASSING = ${JSON.stringify(passing.map((text) => text.toLowerCase()))}
CERTIFICATE = ${JSON.stringify(certificate)}


def is_foreign(host, port):
    if port != 443 or any(fnmatch.fnmatchcase(host, pattern) for pattern in PASSING):
        return False
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
            return False
        except OSError:
            pass
    return True


def count_refusal(authority):
    try:
        with socket.create_connection(("127.0.0.1", int(PORT)), 5) as connection:
            connection.sendall(f"CONNECT {authority} HTTP/1.1\\r\\nHost: {authority}\\r\\n\\r\\n".encode())
            connection.recv(1)
    except OSError:
        pass


def intercepting(resolve):
    def getaddrinfo(host, port, *args, **kwargs):
        name = host.decode("ascii", "replace") if isinstance(host, (bytes, bytearray)) else host
        number = 443 if port in (443, "443", "https", b"443", b"https") else port
        if isinstance(name, str) and name:
            name = name.lower().rstrip(".")
            if f"{name}:{number}" in AUTHORITIES:
                return resolve("127.0.0.1", int(PORT), *args, **kwargs)
            if is_foreign(name, number):
                count_refusal(f"{name}:{number}")
                raise socket.gaierror(socket.EAI_FAIL, ${JSON.stringify(refusalOf('HOST'))}.replace("HOST", name))
        return resolve(host, port, *args, **kwargs)

    return getaddrinfo


def trusting(load):
    def load_and_trust(self, *args, **kwargs):
        load(self, *args, **kwargs)
        load_verify_locations(self, CERTIFICATE)

    return load_and_trust


if PORT:
    socket.getaddrinfo = intercepting(socket.getaddrinfo)
    load_verify_locations = ssl.SSLContext.load_verify_locations
    ssl.SSLContext.load_verify_locations = trusting(load_verify_locations)
    ssl.SSLContext.load_default_certs = trusting(ssl.SSLContext.load_default_certs)
${NEXT_PYTHON_PRELOAD}`
}
