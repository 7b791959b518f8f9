/** Polls the health of a server from a separate process. The waits show how long the server stalls. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { answerParent } from '../bench/worker.js'

const REQUEST = 'GET /_sim/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const PAUSE = 2

const [, , port, pid] = process.argv
const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
let longest = 0

answerParent({
  /** @returns the longest stall since the previous call, in milliseconds */
  longest: () => {
    const answer = longest
    longest = 0
    return answer
  },
})

await once(socket, 'connect')
for (;;) {
  const [begin, used] = [performance.now(), cpuOfMainThread()]
  socket.write(REQUEST)
  const [answer] = await once(socket, 'data')
  if (!String(answer).startsWith('HTTP/1.1 200')) throw new Error(`Expected 200, got: ${answer}`)
  const [waited, computed] = [performance.now() - begin, cpuOfMainThread() - used]
  longest = Math.max(longest, Number.isNaN(computed) ? waited : Math.min(waited, computed))
  await wait(PAUSE)
}

/** The CPU time of the server's main thread, in milliseconds; NaN if the system does not report it. */
function cpuOfMainThread(): number {
  try {
    return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'), 10) / 1e6
  } catch {
    return Number.NaN
  }
}
