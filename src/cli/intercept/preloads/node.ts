import { PORT_VARIABLE, type PreloadRules, refusalOf } from './rules.js'

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
