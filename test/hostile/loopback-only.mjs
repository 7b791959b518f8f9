/**
 * Answers questions for the addresses of hosts from the variable HOSTILE_ADDRESSES, and refuses connections to other
 * addresses than those of this machine, which it adds to the file HOSTILE_CONNECTIONS. Load it with `node --import`.
 */
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIPv6 } from 'node:net'

/** The answers for each host; a further question gets the last one again. */
const answers = new Map(Object.entries(JSON.parse(process.env.HOSTILE_ADDRESSES)))
const { lookup } = dns

dns.lookup = (host, options, callback) => {
  const left = answers.get(host)
  if (left === undefined) return lookup(host, options, callback)
  const addresses = left.length > 1 ? left.shift() : left[0]
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  setImmediate(() =>
    options.all ? callback(null, found) : callback(null, found[0].address, found[0].family),
  )
}
syncBuiltinESMExports()

const { TCP } = process.binding('tcp_wrap')
const ECONNREFUSED = -111
for (const name of ['connect', 'connect6']) {
  const connect = TCP.prototype[name]
  TCP.prototype[name] = function (request, address, ...rest) {
    if (/^(?:127\.|::1$|::ffff:127\.)/.test(address)) return connect.call(this, request, address, ...rest)
    appendFileSync(process.env.HOSTILE_CONNECTIONS, `${address}\n`)
    return ECONNREFUSED
  }
}
