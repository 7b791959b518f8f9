import { KEY } from '../../bench/traffic.js'
import { type Check, expectThat } from '../../support/check.js'
import { Server } from '../../support/server.js'
import { Stalls } from '../stalls.js'
import { type HostileBody, hostileBodies } from './hostile-bodies.js'

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

/** Bodies that are slow to read, to store and to answer. */
export const requestBodies: Check = {
  title: 'no request body stalls other requests',
  async run(figure) {
    const server = await Server.start()
    const stalls = new Stalls(server)
    try {
      for (const body of hostileBodies())
        await stalls.measure(body.name, () => createAndRead(body, server.port), figure)
      stalls.check()
    } finally {
      await Promise.all([server.kill(), stalls.end()])
    }
  },
}

/** Posts a body, and polls and lists its task. */
async function createAndRead({ name, body, status }: HostileBody, port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/v1/tasks`
  const answer = await fetch(url, { method: 'POST', headers: HEADERS, body })
  const text = await answer.text()
  expectThat(
    answer.status === status,
    `${name}: expected ${status}, got ${answer.status} ${text.slice(0, 200)}`,
  )
  const id = /"id":"(task_\w+)"/.exec(text)?.[1]
  for (const path of id === undefined ? [] : [`/${id}`, '?limit=3'])
    await (await fetch(url + path, { headers: HEADERS })).arrayBuffer()
}
