import { connect } from 'node:net'

const CONNECTIONS = 16
const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i

/** A request that a client repeats. */
export interface Poll {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Polls over 16 connections for `milliseconds`, on each connection one request after the other.
 * @returns the number of answers
 */
export async function poll(target: Poll, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => pollUntil(until, target)))
  return counts.reduce((sum, count) => sum + count, 0)
}

function pollUntil(until: number, { port, path, headers }: Poll): Promise<number> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const request = [`GET ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  return new Promise((resolve, reject) => {
    let [answered, received] = [0, '']
    socket.on('error', reject)
    socket.on('close', () => resolve(answered))
    socket.on('data', (chunk: string) => {
      received += chunk
      if (!isComplete(received)) return
      if (!received.startsWith('HTTP/1.1 2'))
        socket.destroy(new Error(`Expected a success, got: ${received}`))
      answered += 1
      received = ''
      if (performance.now() < until) socket.write(request)
      else socket.end()
    })
    socket.write(request)
  })
}

/** Returns whether an answer has arrived whole: with a length, or in chunks. */
function isComplete(answer: string): boolean {
  const end = answer.indexOf(HEAD_END)
  if (end === -1) return false
  const [, length] = LENGTH.exec(answer.slice(0, end)) ?? []
  if (length === undefined) return answer.endsWith('\r\n0\r\n\r\n')
  return answer.length >= end + HEAD_END.length + Number(length)
}
