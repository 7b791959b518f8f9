/** Polls the health of a server from a separate process. The waits show how long the server stalls. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { answerParent } from '../bench/worker.js'

const REQUEST = 'GET /_sim/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const PAUSE = 2

const socket = connect({ port: Number(process.argv[2]), host: '127.0.0.1', noDelay: true })
let longest = 0

answerParent({
  /** @returns the longest wait since the previous call, in milliseconds */
  longest: () => {
    const answer = longest
    longest = 0
    return answer
  },
})

await once(socket, 'connect')
for (;;) {
  const begin = performance.now()
  socket.write(REQUEST)
  const [answer] = await once(socket, 'data')
  if (!String(answer).startsWith('HTTP/1.1 200')) throw new Error(`Expected 200, got: ${answer}`)
  longest = Math.max(longest, performance.now() - begin)
  await wait(PAUSE)
}
