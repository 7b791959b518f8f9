import { connect } from 'node:net'

/** Sends bytes to a server on this machine. @returns what it sends until it closes the connection */
export async function exchangeBytes(origin: string, bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece.toString('latin1')
  })
  // A server may close the connection before it has read everything.
  socket.on('error', () => {})
  socket.write(bytes)
  await new Promise((resolve) => socket.once('close', resolve))
  return answer
}
