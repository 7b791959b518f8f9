import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, eventually, expectThat, wait } from '../../support/check.js'
import { freePort } from '../../support/processes.js'
import { exportState, isLeading, type LedgerSetup, startLeader } from './ledgers.js'
import { Traffic } from './traffic.js'
import { verify } from './verify.js'
import { WebhookReceiver } from './webhook-receiver.js'

const KILLS = 20
/** How long a server works until it is killed, in milliseconds. */
const WORKS = { min: 50, max: 600 }
/** Everything must have ended by then, in milliseconds. */
const PATIENCE = 60_000

const SCENARIO = `
defaults:
  delay: { min: 50ms, max: 1s }
  failures: { rate: 0.2 }
  price: { per_task: 0.01 }
webhooks:
  retries: [100ms, 300ms, 1s, 1s, 1s, 1s]
`

/** Kills a server again and again while clients use it. */
export function killsOf(setup: LedgerSetup): Check {
  return {
    title: `${KILLS} kills at random moments under 1,000 requests/s lose nothing: ${setup.name}`,
    longest: 900_000,
    async run(figure) {
      const { node, url, folder, close } = await setup.open()
      const receiver = new WebhookReceiver()
      const hook = await receiver.start()
      const scenario = join(folder, 'scenario.yaml')
      writeFileSync(scenario, SCENARIO)
      const port = await freePort()
      const traffic = new Traffic(port)
      const args = [scenario, '--ledger', url, '--webhook', hook, '--keep-tasks', '1000000']
      const server = await startLeader(node, args, { port })
      try {
        traffic.start()
        const downtimes: number[] = []
        for (let kill = 0; kill < KILLS; kill++) {
          await wait(randomInt(WORKS.min, WORKS.max))
          await server.kill()
          const begin = performance.now()
          await server.restart()
          await isLeading(server)
          downtimes.push(performance.now() - begin)
        }
        await wait(WORKS.max)
        await traffic.stop()
        await eventually('all tasks have ended', () => pollAll(traffic), PATIENCE)
        await eventually('all webhooks have arrived', () => areAnnounced(traffic, receiver), PATIENCE)
        await server.stop()
        verify({ traffic, receiver, state: exportState(node, url) })
        downtimes.sort((a, b) => a - b)
        figure(
          `${traffic.tasks.length} tasks acknowledged, ${traffic.answered} responses, ${traffic.lost} connections lost, ` +
            `${receiver.received} webhooks; start after a kill: median ${Math.round(downtimes[KILLS / 2] ?? 0)} ms`,
        )
        expectThat(traffic.tasks.length > KILLS, 'Expected that tasks were created between the kills')
      } finally {
        await server.kill()
        await traffic.stop()
        receiver.stop()
        await close()
      }
    },
  }
}

/** Polls each task that has not ended. @returns whether all have ended */
async function pollAll(traffic: Traffic): Promise<boolean> {
  for (const task of traffic.tasks) {
    if (task.seen === undefined) await traffic.poll(task).catch(() => {})
  }
  return traffic.tasks.every(({ seen }) => seen !== undefined)
}

function areAnnounced({ tasks }: Traffic, receiver: WebhookReceiver): boolean {
  return tasks.every(({ id }) => (receiver.tasks.get(id)?.accepted ?? 0) > 0)
}
