import { Chance } from '../../../src/engine/random.js'
import { createSimulator, type ScenarioInput } from '../../../src/index.js'
import type { SeenExchange } from '../../../src/record/exchanges/seen-exchange.js'
import { Traffic } from '../../../src/record/learn/traffic/traffic.js'
import { send } from '../../dialects/created.js'

const START = Date.UTC(2026, 10, 1)
const ORIGIN = 'http://127.0.0.1:4010'
const TASKS = `${ORIGIN}/api/v1/tasks`
/** How the polls and creates of a client are divided. */
const POLLS = 0.5

interface Play {
  readonly scenario: ScenarioInput
  readonly seed?: number
  /** Milliseconds between two requests, on average. */
  readonly every: number
  readonly requests?: number
  /** The headers that a proxy removes from answers. */
  readonly removed?: RegExp
}

/** Plays two clients of a service, and learns from their requests and the webhooks. */
export async function playTraffic({ scenario, seed = 1, every, requests = 900, removed = /^$/ }: Play) {
  const webhooks: SeenExchange[] = []
  const attempts = new Map<string, number>()
  const sim = createSimulator({
    clock: 'manual',
    start: START,
    seed: String(seed),
    scenario: { ...scenario, webhooks: { ...scenario.webhooks, receivers: ['https://client.test/hook'] } },
    transport: async ({ url, headers, body }) => {
      const text = new TextDecoder().decode(body)
      const number = (attempts.get(text) ?? 0) + 1
      attempts.set(text, number)
      const isRejected = text.length % 3 === 0 || /[02468]"/.test(text)
      const status = isRejected && number < 4 ? 503 : 200
      const at = sim.clock.now()
      const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      webhooks.push({
        at,
        answeredAt: at,
        method: 'POST',
        url,
        headers: Object.fromEntries(named),
        body: JSON.parse(text),
        answer: { status, headers: {}, body: undefined },
      })
      return { status }
    },
  })
  const dialect = await sim.dialects.load('tasks')
  const traffic = new Traffic(dialect)
  const random = Chance.of(`clients ${seed}`).stream('clients')
  const ids: string[] = []
  for (let index = 0; index < requests; index++) {
    await sim.clock.advance(Math.round(-Math.log1p(-random.float()) * every))
    const id = ids[random.int(Math.max(1, ids.length))]
    const isPoll = id !== undefined && random.float() < POLLS
    const method = isPoll ? 'GET' : 'POST'
    const url = isPoll ? `${TASKS}/${id}` : TASKS
    const headers = { authorization: `Bearer sk_client_${index % 2}`, 'content-type': 'application/json' }
    const body = { model: 'acme/image-1', input: { prompt: `${index}` } }
    const at = sim.clock.now()
    const reply = await send(sim, { method, url, headers, body: isPoll ? undefined : body })
    const answered = JSON.parse(String(reply.body))
    if (typeof answered.id === 'string') ids.push(answered.id)
    traffic.add({
      at,
      answeredAt: sim.clock.now(),
      method,
      url,
      headers,
      body,
      answer: {
        status: reply.status,
        headers: Object.fromEntries(Object.entries(reply.headers).filter(([name]) => !removed.test(name))),
        body: answered,
      },
    })
  }
  await sim.clock.runUntilIdle()
  for (const webhook of webhooks) traffic.add(webhook)
  for (const { id, completedAt } of (await sim.tasks.list({ limit: 1_000 }))?.tasks ?? [])
    traffic.addEnd(id, completedAt)
  sim.close()
  return traffic.learned
}
