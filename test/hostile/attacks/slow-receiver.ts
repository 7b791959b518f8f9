import { setTimeout as wait } from 'node:timers/promises'
import { type Check, expectThat } from '../../support/check.js'
import { serveHere } from '../../support/receiver.js'
import { Server } from '../../support/server.js'

/** Deliveries to a path that never answers. */
const HANGING = 200
/** In milliseconds; the deadline of one attempt is 15 s. */
const LONGEST_DELAY = 1_000

/** One path of a host accepts every delivery and answers none, while another path waits for its own. */
export const slowReceiver: Check = {
  title: 'slow receivers delay no other path of their host',
  async run(figure) {
    let hanging = 0
    let arrived = (_at: number) => {}
    const arrival = new Promise<number>((resolve) => {
      arrived = resolve
    })
    const receiver = await serveHere(({ url }, response) => {
      if (url === '/hang') {
        hanging += 1
        return
      }
      arrived(performance.now())
      response.end()
    })
    const server = await Server.start(['instant'])
    try {
      for (let count = 0; count < HANGING; count++) await createTask(server, `${receiver.origin}/hang`)
      const begin = performance.now()
      await createTask(server, `${receiver.origin}/other`)
      const delay =
        (await Promise.race([arrival, wait(10 * LONGEST_DELAY, Number.POSITIVE_INFINITY)])) - begin
      figure(
        `${HANGING} hanging deliveries to one path, ${hanging} of them at a time: another path waits ${delay.toFixed(0)} ms`,
      )
      expectThat(hanging > 0, 'Expected deliveries to the path that hangs')
      expectThat(delay < LONGEST_DELAY, `Expected less than ${LONGEST_DELAY} ms`)
    } finally {
      await server.kill()
      receiver.close()
    }
  },
}

async function createTask({ port }: Server, webhookUrl: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/tasks`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_attack', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/image-1', input: { prompt: 'x' }, webhook_url: webhookUrl }),
  })
  expectThat(response.status === 200, `Expected 200 from the API, got ${response.status}`)
  await response.arrayBuffer()
}
