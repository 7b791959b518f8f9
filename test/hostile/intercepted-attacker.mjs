/**
 * Attacks the interceptor of `tasksim exec`, which started this program, and prints what it saw as JSON: the connections
 * to a server that is not allowed, the answers, and how long slow clients were served.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** In milliseconds. */
const PATIENCE = 30_000
const SLOW_CLIENTS = 300
const { hostname, port, username, password } = new URL(process.env.HTTPS_PROXY)
const credential = Buffer.from(`${username}:${password}`).toString('base64')

let forwarded = 0
const forbidden = createServer((socket) => {
  forwarded += 1
  socket.destroy()
}).listen(0, '127.0.0.1')
await once(forbidden, 'listening')
const elsewhere = `127.0.0.1:${forbidden.address().port}`

/** Targets whose name begins or ends as that of an allowed host does, and others that are none. */
const TARGETS = [
  elsewhere,
  `${elsewhere}/.allowed.example`,
  `${elsewhere}/.allowed.example:443`,
  `${elsewhere}?.allowed.example:443`,
  `${elsewhere}#.allowed.example:443`,
  `${elsewhere}\\.allowed.example:443`,
  `allowed.x@${elsewhere}`,
  `allowed.x:y@${elsewhere}`,
  `api.replicate.com:443@${elsewhere}`,
  `https://${elsewhere}/.allowed.example:443`,
  `//${elsewhere}/.allowed.example:443`,
  'api.replicate.com:0443x',
  'api.replicate.com',
  'api.replicate.com:',
  'allowed.[::1]:1',
  'allowed.é.example:443',
  'allowed.%31:443',
  ':443',
  '443',
  '*:443',
  '[::1]:443',
  `${'x'.repeat(12_000)}:443`,
]
const connects = TARGETS.map(
  (target) => `CONNECT ${target} HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic ${credential}\r\n\r\n`,
)
const heads = [
  `GET http://${elsewhere}/ HTTP/1.1\r\nHost: api.replicate.com\r\n\r\n`,
  `GET https://${elsewhere}/ HTTP/1.1\r\nHost: api.replicate.com\r\n\r\n`,
  `GET https://api.replicate.com@${elsewhere}/ HTTP/1.1\r\nHost: api.replicate.com\r\n\r\n`,
  'GET / HTTP/1.1\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: api.replicate.com\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `CONNECT api.replicate.com:443 HTTP/1.1\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`,
  'POST https://api.replicate.com/v1/predictions HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
  'CONNECT api.replicate.com:443 HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  '\u0005\u0001\u0000',
  `\u0016\u0003\u0001\u0002\u0000${'x'.repeat(600)}`,
]

/** Sends bytes. @returns the first line of the answer */
async function send(bytes) {
  const socket = connect(port, hostname).on('error', () => {})
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece.toString('latin1')
  })
  socket.end(Buffer.from(bytes, 'latin1'))
  await once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE) }).catch(() => socket.destroy())
  return answer.split('\r\n')[0]
}

const answers = []
for (const bytes of [...connects, ...heads])
  answers.push({ sent: bytes.split('\r\n')[0].slice(0, 80), got: await send(bytes) })

/** What slow clients send before they stop. */
const STARTS = [
  '',
  'G',
  'GET / HTTP/1.1\r\nHost: ',
  '\u0016',
  'CONNECT api.replicate.com:443 HTTP/1.1\r\nHost: a\r\n\r\n',
]
const begin = performance.now()
const slow = Array.from({ length: SLOW_CLIENTS }, async (_, index) => {
  const socket = connect(port, hostname)
    .on('error', () => {})
    .resume()
  socket.write(Buffer.from(STARTS[index % STARTS.length], 'latin1'))
  await once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE) })
})
const { status } = await fetch('https://api.replicate.com/v1/predictions')
const outcomes = await Promise.allSettled(slow)
const served = performance.now() - begin

process.stdout.write(
  JSON.stringify({
    forwarded,
    answers,
    status,
    served,
    open: outcomes.filter(({ status: outcome }) => outcome === 'rejected').length,
  }),
)
process.exit(0)
