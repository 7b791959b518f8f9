import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Check, eventually, expectThat } from '../../support/check.js'
import { freePort } from '../../support/processes.js'
import type { Server } from '../../support/server.js'
import { exportState, type LedgerSetup, startLeader } from './ledgers.js'
import { type KnownTask, Traffic } from './traffic.js'
import { verify } from './verify.js'
import { WebhookReceiver } from './webhook-receiver.js'

/** The points at which `kill-at.mjs` kills a server. */
const POINTS = ['before-commit', 'after-commit', 'before-response', 'after-response'] as const

const SCENARIO = `
defaults:
  delay: 100ms
  price: { per_task: 0.01 }
webhooks:
  retries: [100ms, 300ms, 1s, 1s]
`

/**
 * Kills a server at each point between a request and the end of its webhook.
 * @param numbers how often a point is passed before the kills
 */
export function pointsOf(setup: LedgerSetup, numbers: readonly number[]): Check {
  return {
    title: `a kill at each point between commit and response loses nothing: ${setup.name}`,
    longest: 180_000,
    async run(figure) {
      const reached = new Map<string, number>()
      for (const point of POINTS) {
        for (const number of numbers) {
          const wasKilled = await killAt(setup, { KILL_AT: point, KILL_NUMBER: String(number) })
          if (wasKilled) reached.set(point, (reached.get(point) ?? 0) + 1)
        }
      }
      for (const number of [1, 2]) await killDuringWebhook(setup, number)
      const missed = POINTS.filter((point) => !reached.has(point))
      expectThat(missed.length === 0, `No server was killed at ${missed.join(', ')}`)
      figure([...reached].map(([point, count]) => `${point} ${count}`).join(', '))
    },
  }
}

const PRELOAD = fileURLToPath(new URL('kill-at.mjs', import.meta.url))

/** @returns whether the server reached the point */
async function killAt(setup: LedgerSetup, env: Readonly<Record<string, string>>): Promise<boolean> {
  return inSetup(setup, async ({ start, traffic, receiver }) => {
    const first = await start(['--import', PRELOAD], env)
    const ended = first.ended().then(() => true)
    for (let create = 0; create < 5; create++) await traffic.create().catch(() => {})
    const wasKilled = await Promise.race([ended, pollSome(traffic).then(() => false)])
    await first.kill()
    await start()
    await complete(traffic, receiver)
    return wasKilled
  })
}

/** Kills the server while a receiver has a webhook, and has not answered it. */
function killDuringWebhook(setup: LedgerSetup, number: number): Promise<void> {
  return inSetup(setup, async ({ start, traffic, receiver }) => {
    const first = await start()
    receiver.ignores = (received) => {
      if (received === number) void first.kill()
      return received === number
    }
    for (let create = 0; create < 3; create++) await traffic.create()
    await first.ended()
    await start()
    await complete(traffic, receiver)
  })
}

interface Stage {
  readonly traffic: Traffic
  readonly receiver: WebhookReceiver
  start(nodeOptions?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Server>
}

async function inSetup<Result>(setup: LedgerSetup, play: (stage: Stage) => Promise<Result>): Promise<Result> {
  const { node, url, folder, close } = await setup.open()
  const receiver = new WebhookReceiver()
  const hook = await receiver.start()
  const scenario = join(folder, 'scenario.yaml')
  writeFileSync(scenario, SCENARIO)
  const port = await freePort()
  const traffic = new Traffic(port)
  const args = [scenario, '--ledger', url, '--webhook', hook]
  let last: Server | undefined
  try {
    const result = await play({
      traffic,
      receiver,
      async start(nodeOptions = [], env = {}) {
        last = await startLeader(node, args, { port, nodeOptions, env })
        return last
      },
    })
    await last?.stop()
    verify({ traffic, receiver, state: exportState(node, url) })
    return result
  } finally {
    await last?.kill()
    await traffic.stop()
    receiver.stop()
    await close()
  }
}

async function pollSome(traffic: Traffic): Promise<void> {
  const isDone = () => pollEach(traffic.tasks, traffic)
  await eventually('the tasks have ended', isDone, 5_000).catch(() => {})
}

/** Waits until all acknowledged tasks have ended and were announced. */
async function complete(traffic: Traffic, receiver: WebhookReceiver): Promise<void> {
  await eventually('all tasks have ended', () => pollEach(traffic.tasks, traffic))
  const isAnnounced = ({ id }: KnownTask) => (receiver.tasks.get(id)?.accepted ?? 0) > 0
  await eventually('all webhooks have arrived', () => traffic.tasks.every(isAnnounced), 20_000)
}

async function pollEach(tasks: readonly KnownTask[], traffic: Traffic): Promise<boolean> {
  for (const task of tasks) if (task.seen === undefined) await traffic.poll(task).catch(() => {})
  return tasks.every(({ seen }) => seen !== undefined)
}
