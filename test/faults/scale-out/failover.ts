import { type Check, eventually, expectEqual, expectThat, wait } from '../../support/check.js'
import { startReceiver } from '../../support/receiver.js'
import type { Server } from '../../support/server.js'
import { withRedis } from '../redis/redis-server.js'
import { openService, type ServiceClient } from './any-service.js'
import { startNginx } from './nginx.js'
import { startPartition } from './two-partitions.js'

const NAMES = ['openai', 'fal', 'assemblyai', 'google', 'luma']
const KEYS = ['key-1', 'key-2', 'key-3', 'key-4', 'key-5', 'key-6']

interface Created {
  readonly client: ServiceClient
  readonly id: string
}

interface System {
  readonly origin: string
  readonly servers: readonly Server[]
}

/** What clients see of the example with leaders and standbys. */
export const failovers: readonly Check[] = [
  {
    title: 'scale-out: after kill -9 of both leaders, the standbys have every task',
    run: (figure) =>
      withStandbys(async ({ origin, servers }) => {
        const created = await createTasks(origin)
        await killLeaders(servers)
        const begin = performance.now()
        await eventually('every task is there', () => areThere(created))
        figure(`${created.length} tasks after ${Math.round(performance.now() - begin)} ms`)
        for (const { client, id } of created) await client.download(id)
        const receiver = await startReceiver()
        const client = await openService('luma', origin, 'key-1')
        const { id } = await client.create(receiver.url)
        await eventually('a webhook of a new task arrives', () =>
          receiver.bodies.some((body) => body.includes(id)),
        )
        receiver.close()
      }),
  },
  {
    title:
      'scale-out: clients see no answer of a standby, before and after a takeover, and every 503 of a fault',
    run: () =>
      withStandbys(async ({ origin, servers }) => {
        const created = await createTasks(origin)
        await expectAnswersOfLeaders(origin, created)
        const killed = await killLeaders(servers)
        await eventually('every task is there', () => areThere(created))
        await Promise.all(killed.map((server) => server.restart()))
        // nginx asks a server again one second after it has failed.
        await wait(1_200)
        await expectAnswersOfLeaders(origin, created)
      }),
  },
]

async function expectAnswersOfLeaders(origin: string, created: readonly Created[]): Promise<void> {
  // A busy machine may change its leaders.
  await eventually('every poll gets 200 three times', async () => {
    for (let count = 0; count < 3; count++) if (!(await areThere(created))) return false
    return true
  })
  for (const key of KEYS) {
    const response = await fetch(`${origin}/openai/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-sim': 'fault=503' },
      body: JSON.stringify({ model: 'o3', input: 'x'.repeat(200_000), background: true }),
    })
    expectEqual('the status of the fault', response.status, 503)
    const text = await response.text()
    expectThat(!text.includes('standby'), `Expected the answer of the leader, got ${text}`)
  }
}

async function createTasks(origin: string): Promise<Created[]> {
  const receiver = 'http://127.0.0.1:9/'
  return Promise.all(
    NAMES.flatMap((name) =>
      KEYS.map(async (key) => {
        const client = await openService(name, origin, key)
        return { client, id: (await client.create(receiver)).id }
      }),
    ),
  )
}

async function areThere(created: readonly Created[]): Promise<boolean> {
  const statuses = await Promise.all(
    created.map(async ({ client, id }) => {
      const response = await client.poll(id)
      await response.arrayBuffer()
      return response.status
    }),
  )
  return statuses.every((status) => status === 200)
}

/** Ends the servers that lead, without a warning. */
async function killLeaders(servers: readonly Server[]): Promise<Server[]> {
  const leads = await Promise.all(servers.map((server) => server.isReady()))
  const leaders = servers.filter((_, index) => leads[index])
  await Promise.all(leaders.map((leader) => leader.kill()))
  return leaders
}

/** Starts Redis, two servers for each partition, and nginx. */
function withStandbys(run: (system: System) => Promise<void>): Promise<void> {
  return withRedis(async ({ url }) => {
    const servers: Record<string, Server> = {}
    for (const name of ['a-1', 'b-1', 'a-2', 'b-2']) {
      const partition = name.charAt(0)
      const ledger = `${url}?prefix=tasksim-${partition}`
      servers[`tasksim-${name}`] = await startPartition(partition, '--ledger', ledger)
    }
    const nginx = await startNginx(servers)
    try {
      await run({ origin: nginx.origin, servers: Object.values(servers) })
    } finally {
      await nginx.close()
      await Promise.all(Object.values(servers).map((server) => server.kill()))
    }
  })
}
