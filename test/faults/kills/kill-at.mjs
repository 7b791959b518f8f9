/**
 * Kills this process at a fixed point, as `kill -9` does. `KILL_AT` names the point, and `KILL_NUMBER` says how often the
 * point is passed before. Load it with `node --import`.
 */
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

const point = process.env.KILL_AT
let left = Number(process.env.KILL_NUMBER ?? 0)
/** The points count from the first request that creates a task, so that the start of the server does not matter. */
let isCounting = false

function pass(name) {
  if (name !== point || !isCounting) return
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
}

const { end, writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (...args) {
  pass('before-response')
  return writeHead.apply(this, args)
}
ServerResponse.prototype.end = function (...args) {
  const result = end.apply(this, args)
  if (this.req?.method === 'POST') {
    isCounting = true
    setImmediate(() => pass('after-response'))
  }
  return result
}

// A commit to Redis is a script that sets fields.
const { write } = Socket.prototype
Socket.prototype.write = function (chunk, ...rest) {
  if (!(typeof chunk === 'string' && chunk.includes('HSET'))) return write.call(this, chunk, ...rest)
  pass('before-commit')
  this.prependOnceListener('data', () => pass('after-commit'))
  return write.call(this, chunk, ...rest)
}

try {
  const { DatabaseSync } = await import('node:sqlite')
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    if (sql !== 'COMMIT') return exec.call(this, sql)
    pass('before-commit')
    const result = exec.call(this, sql)
    pass('after-commit')
    return result
  }
} catch {
  // This Node has no SQLite, so the ledger is in Redis.
}
