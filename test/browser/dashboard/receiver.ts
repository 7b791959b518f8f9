import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * Runs a receiver at `/hooks` and at every other path.
 * @param statusOf the status of the answer to the n-th webhook, from 1
 */
export async function withReceiver(
  use: (url: string, bodies: string[]) => Promise<void>,
  statusOf: (number: number, path: string) => number = () => 204,
): Promise<void> {
  const bodies: string[] = []
  const receiver = createServer(async (request, response) => {
    bodies.push(String(await buffer(request)))
    response.writeHead(statusOf(bodies.length, request.url ?? '')).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    await use(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`, bodies)
  } finally {
    receiver.close()
    receiver.closeAllConnections()
  }
}
