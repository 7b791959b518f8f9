import { expect, test } from 'vitest'
import { FAULT_WORDS } from '../../src/engine/requests/fault.js'
import { SERVICE_OPERATIONS } from '../../src/engine/requests/operations.js'
import { WEBHOOK_FAULT_WORDS, type WebhookFaultWord } from '../../src/engine/webhooks/faults/webhook-fault.js'
import { type Finding, type ScenarioInput, SHIPPED_NAMES } from '../../src/index.js'
import { HOOK, type Stage, stage } from '../inspect/findings/stage.js'
import { sampleOf } from '../support/deep.js'
import { type Order, Refused } from '../support/robust-client.js'

const OPERATIONS = [...SERVICE_OPERATIONS]

/** A few tasks of every kind. */
const ORDERS: readonly Order[] = [
  'image-1',
  'video-1',
  'speech-1',
  'upscaler-tool',
  'composer-2.5',
  'image-2',
].flatMap((name) =>
  [1, 2].map((variant) => ({
    model: `acme/${name}`,
    input: { prompt: 'a lighthouse', duration: 4, variant },
  })),
)

/** Ignores a permanent rejection, which a good client may report. */
async function ignoreRejection(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    if (!(error instanceof Refused)) throw error
  })
}

interface GoodClient {
  /** Whether webhooks reach the client. */
  readonly hasWebhooks?: boolean
  run(on: Stage): Promise<unknown>
}

const polling = ({ client }: Stage) =>
  Promise.all(ORDERS.map((order) => ignoreRejection(client.generate(order))))

const CLIENTS: Readonly<Record<string, GoodClient>> = {
  'that polls': { run: polling },
  'that polls, and has webhooks as well': { hasWebhooks: true, run: polling },
  'that polls one task after the other': {
    async run({ client }) {
      for (const order of ORDERS) await ignoreRejection(client.generate(order))
    },
  },
  'that waits for webhooks': {
    hasWebhooks: true,
    run: ({ app }) =>
      Promise.all(ORDERS.map((order) => ignoreRejection(app.generate({ ...order, webhook_url: HOOK })))),
  },
  'that reads lists': {
    async run({ client, around }) {
      await Promise.all(ORDERS.map((order) => ignoreRejection(client.create(order))))
      await around.sleep(40 * 60_000)
      for (const task of await client.list('limit=5')) await client.download(task)
    },
  },
  'that begins when time has passed': {
    async run(on) {
      await on.around.sleep(29_000)
      await polling(on)
    },
  },
}

async function live(
  scenario: string | ScenarioInput,
  { hasWebhooks = false, run }: GoodClient,
): Promise<void> {
  const receiver = { url: HOOK, handle: (request: Request) => on.app.handle(request), everyTask: true }
  // The clients cancel a stuck task. Half an hour of polls for each would only take time.
  const habits = scenario === 'stuck' ? { deadline: 20_000 } : {}
  const on: Stage = stage({ scenario, receivers: hasWebhooks ? [receiver] : [] }, habits)
  await on.live(run(on))
  expect(summary(await on.sim.findings())).toEqual([])
  expect(summary((await on.sim.verdict({ final: true })).findings)).toEqual([])
  expect((await on.sim.verdict()).checked.filter(({ state }) => state === 'ok').length).toBeGreaterThan(2)
}

function summary(findings: readonly Finding[]): string[] {
  return findings.map(({ id, evidence }) => `${id}: ${evidence.map(({ seen }) => seen).join(' ')}`)
}

/** A scenario that makes work hard for the clients, with its title. */
type Hardship = readonly [title: string, scenario: string | ScenarioInput]

const FAULTS: readonly NonNullable<ScenarioInput['faults']>[number]['then'][] = [
  ...(Object.keys(FAULT_WORDS) as (keyof typeof FAULT_WORDS)[]),
  ...([503, 500, 429, 408] as const),
  { status: 503, retry_after: '20s' },
  { status: 429, retry_after: { date: '20s' } },
  { delay: '90s' },
  { bytes_per_second: 2_000 },
  { reset: 'during', executed: true },
  { reset: 'after' },
  { status: 500, executed: true },
  { body: 'duplicate_status' },
  { hang: true, executed: true },
]

const HARDSHIPS: readonly Hardship[] = [
  ...SHIPPED_NAMES.map((name): Hardship => [`in ${name}`, name]),
  ...FAULTS.map(
    (then): Hardship => [
      `where a third of all requests meets with ${JSON.stringify(then)}`,
      { faults: [{ when: { operation: OPERATIONS, rate: 0.33 }, then }] },
    ],
  ),
]

const WEBHOOK_HARDSHIPS: readonly Hardship[] = [
  ...(Object.keys(WEBHOOK_FAULT_WORDS) as WebhookFaultWord[]).map(
    (then): Hardship => [`where webhooks are ${then}`, { webhooks: { faults: [{ then }] } }],
  ),
  [
    'where no attempt of a webhook is genuine',
    { webhooks: { faults: [{ then: { signature: 'wrong', attempts: 'all' } }] } },
  ],
]

const CASES = Object.entries(CLIENTS).flatMap(([name, client]) =>
  [...HARDSHIPS, ...(client.hasWebhooks ? WEBHOOK_HARDSHIPS : [])].map(
    ([hardship, scenario]) => [name, hardship, client, scenario] as const,
  ),
)

test.each(sampleOf(3, CASES))('a good client %s has no finding %s', (_name, _hardship, client, scenario) =>
  live(scenario, client),
)
