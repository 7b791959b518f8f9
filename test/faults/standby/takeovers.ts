import { type Check, eventually, expectEqual, expectThat, wait } from '../../support/check.js'
import { Server } from '../../support/server.js'
import { type RedisServer, withRedis } from '../redis/redis-server.js'
import { createTask, Load } from './load.js'

/** What clients see when the leader of a ledger changes. */
export const takeovers: readonly Check[] = [
  {
    title: 'standby: every request gets 503 in the form of its service, until the standby leads',
    run: () =>
      withServers(async (start) => {
        const [leader, standby] = [await start(), await start()]
        expectEqual('the readiness', [await leader.isReady(), await standby.isReady()], [true, false])
        for (const [path, form] of [
          ['/api/v1/tasks', /"code":/],
          ['/openai/v1/videos', /"error":\s*{\s*"message"/],
          ['/_sim/state', /"unavailable"/],
          ['/_sim/ready', /"unavailable"/],
        ] as const) {
          const response = await standby.fetch(path)
          const body = await response.text()
          expectEqual(`the status of ${path}`, response.status, 503)
          expectEqual(`Retry-After of ${path}`, response.headers.get('retry-after'), '1')
          expectThat(form.test(body), `Expected another body of ${path}, got: ${body}`)
        }
        expectThat(standby.output.includes('standby'), `Expected "standby" in: ${standby.output}`)
      }),
  },
  {
    title: 'standby: of three servers that start at once, one leads',
    run: () =>
      withServers(async (start) => {
        const servers = await Promise.all([start(), start(), start()])
        const ready = await Promise.all(servers.map((server) => server.isReady()))
        expectEqual('the count of leaders', ready.filter(Boolean).length, 1)
      }),
  },
  {
    title: 'standby: after kill -9 under load, a standby takes over with every confirmed task',
    run: (figure) =>
      withServers(async (start) => {
        const [leader, standby] = [await start(), await start()]
        const load = new Load([leader, standby])
        await wait(2_000)
        await leader.kill()
        await takesOver(standby, figure)
        await load.stop()
        await hasAll(standby, load, figure)
      }),
  },
  {
    title: 'standby: after a regular stop under load, a standby takes over at once with every confirmed task',
    run: (figure) =>
      withServers(async (start) => {
        const [leader, standby] = [await start(), await start()]
        const load = new Load([leader, standby])
        await wait(1_000)
        await leader.stop()
        await takesOver(standby, figure, LONGEST_TAKEOVER / 2)
        await load.stop()
        await hasAll(standby, load, figure)
      }),
  },
  {
    title: 'standby: a leader that was suspended confirms nothing more, and stands by',
    run: (figure) =>
      withServers(async (start) => {
        const [first, second] = [await start(), await start()]
        const load = new Load([first, second])
        await wait(1_000)
        first.suspend()
        await takesOver(second, figure)
        first.resume()
        await eventually(
          'the first server stands by',
          async () => (await first.status('/_sim/ready')) === 503,
        )
        await wait(500)
        await load.stop()
        await hasAll(second, load, figure)
        await eventually('the first server says so', () => first.output.includes('is a standby')).catch(
          (error: unknown) => {
            throw new Error(`${error} ${first.output}`)
          },
        )
        await second.kill()
        await takesOver(first, figure)
        await hasAll(first, load, figure)
      }),
  },
  {
    title:
      'standby: a leader that was deposed keeps the state even if nobody else leads, with --ledger-reset',
    run: () =>
      withServers(async (start, redis) => {
        const server = await start('--ledger-reset')
        const id = await createTask(server, 'a lighthouse')
        expectThat(id !== undefined, 'Expected a task')
        await redis.command('HINCRBY', '{tasksim}:meta', 'epoch', '1')
        await redis.command('DEL', '{tasksim}:lease')
        await eventually('the server was deposed', () => server.output.includes('taken over'))
        await eventually('the server leads again', () => server.isReady())
        expectEqual('the missing tasks', await missing(server, [id]), [])
      }),
  },
  {
    title: 'standby: no request waits longer than four seconds while Redis is away, also behind a commit',
    run: (figure) =>
      withServers(async (start, redis) => {
        const server = await start()
        redis.suspend()
        const waits: number[] = []
        const create = async () => {
          const begin = performance.now()
          const response = await server.fetch('/api/v1/tasks', { method: 'POST', body: TASK })
          expectEqual('the status', response.status, 503)
          waits.push(performance.now() - begin)
        }
        const requests: Promise<void>[] = []
        for (let count = 0; count < 50; count++) {
          requests.push(create())
          await wait(100)
        }
        await Promise.all(requests)
        redis.resume()
        const longest = Math.round(Math.max(...waits))
        figure(`${waits.length} requests, the longest wait was ${longest} ms`)
        expectThat(
          longest < 4_500,
          `Expected at most 4,000 ms, and 500 ms for a busy machine, got ${longest} ms`,
        )
        await eventually(
          'a task is created again',
          async () => (await createTask(server, 'later')) !== undefined,
        )
      }),
  },
  {
    title: 'standby: confirmed tasks outlive a suspended and a killed Redis, under load',
    run: (figure) =>
      withServers(async (start, redis) => {
        const [leader, standby] = [await start(), await start()]
        const load = new Load([leader, standby])
        await wait(1_000)
        redis.suspend()
        await wait(3_000)
        redis.resume()
        await oneLeads(leader, standby)
        await redis.kill()
        await wait(500)
        await redis.start()
        await oneLeads(leader, standby)
        const before = load.confirmed.length
        await eventually('tasks are created again', () => load.confirmed.length > before + 10)
        await load.stop()
        const ready = (await leader.isReady()) ? leader : standby
        await hasAll(ready, load, figure)
      }),
  },
]

const TASK = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a lighthouse' } })

/** In milliseconds; 3,000 on a machine that does nothing else. */
const LONGEST_TAKEOVER = 8_000

async function withServers(
  use: (start: (...args: string[]) => Promise<Server>, redis: RedisServer) => Promise<void>,
): Promise<void> {
  await withRedis(async (redis) => {
    const servers: Server[] = []
    try {
      await use(async (...args) => {
        const server = await Server.start(['instant', '--ledger', redis.url, ...args])
        servers.push(server)
        return server
      }, redis)
    } finally {
      await Promise.all(servers.map((server) => server.kill()))
    }
  })
}

async function takesOver(
  standby: Server,
  figure: (text: string) => void,
  patience = LONGEST_TAKEOVER,
): Promise<void> {
  const begin = performance.now()
  await eventually('the standby leads', () => standby.isReady(), patience).catch((error: unknown) => {
    throw new Error(`${error}; it printed: ${standby.output}`)
  })
  figure(`takeover after ${Math.round(performance.now() - begin)} ms`)
}

async function oneLeads(...servers: Server[]): Promise<void> {
  await eventually('one server leads', async () => {
    const ready = await Promise.all(servers.map((server) => server.isReady()))
    return ready.filter(Boolean).length === 1
  })
}

async function hasAll(server: Server, load: Load, figure: (text: string) => void): Promise<void> {
  figure(`${load.confirmed.length} tasks confirmed, ${load.unconfirmed} requests not`)
  expectThat(load.confirmed.length > 0, 'Expected confirmed tasks')
  expectEqual('the missing tasks', await missing(server, load.confirmed), [])
}

/** The ids of those tasks that a server does not have. */
async function missing(server: Server, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const id of ids) if ((await server.status(`/api/v1/tasks/${id}`)) !== 200) found.push(id)
  return found
}
