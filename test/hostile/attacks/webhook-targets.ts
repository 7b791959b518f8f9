import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TasksimServer } from '../../bench/tasksim-server.js'
import { LINK_LOCAL, LINK_LOCAL_HOSTS, LINK_LOCAL_URLS } from '../../support/link-local-addresses.js'
import { type Attack, expectThat } from '../attack.js'
import { startReceiver } from '../hostile-receiver.js'

const GUARD = fileURLToPath(new URL('../loopback-only.mjs', import.meta.url))
const HEADERS = { authorization: 'Bearer sk_targets', 'content-type': 'application/json' }
const LOOPBACK = '127.0.0.1'
/** In milliseconds. */
const PATIENCE = 20_000

/** What a resolver answers for each host: first, and from then on. */
const RESOLVED: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
  LINK_LOCAL.flatMap((address, index) => [
    [`only-${index}.test`, [[address]]],
    [`also-${index}.test`, [[address, LOOPBACK]]],
    [`later-${index}.test`, [[LOOPBACK], [address]]],
  ]),
)

/** Each server, and whether it allows all targets that a pattern can allow. */
const SERVERS: readonly (readonly string[])[] = [[], ['--webhook-allow', '*']]

/** Targets of webhooks that lead to link-local addresses, by their notation or by what a resolver answers. */
export const webhookTargets: Attack = {
  title: 'no target of a webhook makes the server connect to a link-local address',
  async run(figure) {
    const folder = mkdtempSync(join(tmpdir(), 'tasksim-targets-'))
    const connections = join(folder, 'connections')
    const scenario = join(folder, 'scenario.yaml')
    writeFileSync(scenario, 'extends: instant\nwebhooks: { retries: [] }\n')
    const env = {
      NODE_OPTIONS: `--import=${GUARD}`,
      HOSTILE_ADDRESSES: JSON.stringify(RESOLVED),
      HOSTILE_CONNECTIONS: connections,
    }
    let received = 0
    const receiver = await startReceiver((_, response) => {
      received += 1
      response.writeHead(307, { location: LINK_LOCAL_URLS[0], connection: 'close' }).end()
    })
    const { port } = new URL(receiver.origin)
    const named = Object.keys(RESOLVED).map((host) => `http://${host}:${port}/`)
    const literal = [
      ...LINK_LOCAL_URLS,
      ...[...LINK_LOCAL, ...LINK_LOCAL_HOSTS].map((host) => urlOf(host, port)),
    ]
    try {
      for (const args of SERVERS) {
        received = 0
        const server = await TasksimServer.startIn(env, scenario, ...args)
        for (const url of literal) {
          const status = await createTask(server, url)
          expectThat(
            status >= 400 && status < 500,
            `${url}: expected 4xx at the create request, got ${status}`,
          )
        }
        for (const url of [...named, ...named]) {
          const status = await createTask(server, url)
          expectThat(status === 200, `${url}: expected 200, got ${status}`)
        }
        await allEnded(server)
        // `only` gets none of two webhooks, `also` both, and `later` the first.
        const expected = 3 * LINK_LOCAL.length
        const made = existsSync(connections) ? readFileSync(connections, 'utf8').split('\n').slice(0, 3) : []
        figure(`${literal.length} URLs and ${named.length} names: ${received} webhooks, all to this machine`)
        expectThat(made.length === 0, `the server would have connected to ${made.join(', ')}`)
        expectThat(received === expected, `Expected ${expected} webhooks at the receiver, got ${received}`)
        await server.end()
      }
    } finally {
      receiver.close()
      rmSync(folder, { recursive: true })
    }
  },
}

function urlOf(host: string, port: string): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}/`
}

async function createTask({ port }: TasksimServer, webhookUrl: string): Promise<number> {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'x' }, webhook_url: webhookUrl })
  const url = `http://127.0.0.1:${port}/api/v1/tasks`
  const response = await fetch(url, { method: 'POST', headers: HEADERS, body })
  await response.arrayBuffer()
  return response.status
}

/** Waits until all deliveries have ended, each after its only attempt. */
async function allEnded({ port }: TasksimServer): Promise<void> {
  const deadline = performance.now() + PATIENCE
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/_sim/deliveries?limit=1`)
    const { counts } = await response.json()
    if (counts.pending === 0) return
    expectThat(performance.now() < deadline, `Expected that all webhooks end, ${counts.pending} are pending`)
    await wait(50)
  }
}
