import { describe, expect, test } from 'vitest'
import { FAULT_WORDS } from '../../src/engine/requests/fault.js'
import { SERVICE_OPERATIONS } from '../../src/engine/requests/operations.js'
import { WEBHOOK_FAULT_WORDS, type WebhookFaultWord } from '../../src/engine/webhooks/webhook-fault.js'
import { type Finding, type ScenarioInput, SHIPPED_NAMES } from '../../src/index.js'
import { type Order, Refused } from '../support/robust-client.js'
import { HOOK, type Stage, stage } from './stage.js'

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

/** What a good client may end with: it was refused for good, and has told so. */
async function orRefused(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    if (!(error instanceof Refused)) throw error
  })
}

interface GoodClient {
  /** Whether webhooks reach it. */
  readonly hears?: boolean
  run(on: Stage): Promise<unknown>
}

const polling = ({ client }: Stage) => Promise.all(ORDERS.map((order) => orRefused(client.generate(order))))

const CLIENTS: Readonly<Record<string, GoodClient>> = {
  'that polls': { run: polling },
  'that polls, and has webhooks as well': { hears: true, run: polling },
  'that polls one task after the other': {
    async run({ client }) {
      for (const order of ORDERS) await orRefused(client.generate(order))
    },
  },
  'that waits for webhooks': {
    hears: true,
    run: ({ app }) =>
      Promise.all(ORDERS.map((order) => orRefused(app.generate({ ...order, webhook_url: HOOK })))),
  },
  'that reads lists': {
    async run({ client, around }) {
      await Promise.all(ORDERS.map((order) => orRefused(client.create(order))))
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

async function live(scenario: string | ScenarioInput, { hears = false, run }: GoodClient): Promise<void> {
  const receiver = { url: HOOK, handle: (request: Request) => on.app.handle(request) }
  const on: Stage = stage({ scenario, receivers: hears ? [receiver] : [] })
  await on.live(run(on))
  expect(summary(await on.sim.findings())).toEqual([])
  expect(summary((await on.sim.verdict({ final: true })).findings)).toEqual([])
  expect((await on.sim.verdict()).checked.filter(({ state }) => state === 'ok').length).toBeGreaterThan(2)
}

function summary(findings: readonly Finding[]): string[] {
  return findings.map(({ id, evidence }) => `${id}: ${evidence.map(({ seen }) => seen).join(' ')}`)
}

describe.each(Object.entries(CLIENTS))('a good client %s', (_, client) => {
  test.each(SHIPPED_NAMES)('has no finding in %s', (scenario) => live(scenario, client))

  const steps = [...Object.keys(FAULT_WORDS), 503, 500, 429, 408] as (keyof typeof FAULT_WORDS)[]
  test.each(steps)('has no finding where a third of all requests meets with %s', (then) =>
    live({ faults: [{ when: { operation: OPERATIONS, rate: 0.33 }, then }] }, client),
  )

  test.each<NonNullable<ScenarioInput['faults']>[number]['then']>([
    { status: 503, retry_after: '20s' },
    { status: 429, retry_after: { date: '20s' } },
    { delay: '90s' },
    { bytes_per_second: 2_000 },
    { reset: 'during', executed: true },
    { reset: 'after' },
    { status: 500, executed: true },
    { body: 'duplicate_status' },
    { hang: true, executed: true },
  ])('has no finding where a third of all requests meets with %j', (then) =>
    live({ faults: [{ when: { operation: OPERATIONS, rate: 0.33 }, then }] }, client),
  )
})

const LISTENERS = Object.entries(CLIENTS).filter(([, { hears }]) => hears)

describe.each(LISTENERS)('a good client %s', (_, client) => {
  test.each(Object.keys(WEBHOOK_FAULT_WORDS) as WebhookFaultWord[])(
    'has no finding where webhooks are %s',
    (then) => live({ webhooks: { faults: [{ then }] } }, client),
  )

  test('has no finding where every webhook is forged to the end', () =>
    live({ webhooks: { faults: [{ then: { signature: 'wrong', attempts: 'all' } }] } }, client))
})
