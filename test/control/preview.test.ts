import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { takeSample } from '../../src/control/preview/sample.js'
import { createRequests } from '../../src/control/preview/sample-simulator.js'
import { InFlight } from '../../src/engine/clock/in-flight.js'
import { createSimulator, parseScenario } from '../../src/index.js'
import { shareInterval } from '../../src/inspect/statistics.js'
import { llm } from '../../src/kinds/llm/llm.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { describeHosts } from '../http/hosts.js'
import { deepTest } from '../support/deep.js'

async function sample(text: string, tasks: number, seed = '1', model = 'acme/image-1') {
  const sim = createSimulator({ clock: 'manual', seed })
  onTestFinished(() => sim.close())
  const [shown] = await sim.control.scenario.preview({ text, model, tasks })
  if (shown === undefined) throw new Error('The preview is empty')
  return shown
}

/** What every simulator uses to create and read tasks, also the one of a preview. */
const ENGINE = Object.getPrototypeOf(createSimulator({ clock: 'manual' }).tasks)

describe('a preview sample shows the answers of a client', () => {
  it('under a rate limit', async () => {
    const { answers, tasks, requests } = await sample('extends: rate-limited', 120)
    expect({ answers, tasks, requests }).toEqual({
      answers: { 200: 20, '429 rate_limited': 100 },
      tasks: 20,
      requests: 120,
    })
  })

  it('when credits run out', async () => {
    const { answers, tasks } = await sample('extends: out-of-credits', 20)
    expect([answers, tasks]).toEqual([{ 200: 4, '402 insufficient_credits': 16 }, 4])
  })

  it('during an outage, including delayed answers', async () => {
    const { answers, tasks } = await sample('extends: outage', 100)
    expect([answers, tasks]).toEqual([{ 200: 40, '503 unavailable': 60 }, 40])
  })

  it('with a full queue', async () => {
    const { answers } = await sample('defaults: { delay: 3s }\ncapacity: { running: 1, queued: 2 }', 100)
    expect(answers).toEqual({ 200: 36, '429 rate_limited': 64 })
  })

  it('after a lost answer, whose task exists and is billed', async () => {
    const { answers, tasks, outcomes, cost_usd: cost } = await sample('extends: lost-create-response', 10)
    expect([answers, tasks, outcomes]).toEqual([{ none: 10 }, 10, { succeeded: 10 }])
    expect(cost.total).toBe(0.4)
  })

  it('with listed keys, and uses one that does not expire', async () => {
    const keys = '[{ key: sk_first_of_two, expires: 1s }, { key: sk_second_of_two }]'
    const { answers } = await sample(`auth: { keys: ${keys} }`, 10)
    expect(answers).toEqual({ 200: 10 })
  })

  it.each(['problem', 'detail'])('with errors in the style %s', async (errors) => {
    const { answers } = await sample(`extends: rate-limited\napi: { errors: ${errors} }`, 11)
    const refused = errors === 'problem' ? '429 rate_limited' : '429'
    expect(answers).toEqual({ 200: 10, [refused]: 1 })
  })

  it('for tasks that end at a poll', async () => {
    const { outcomes } = await sample('defaults: { delay: { polls: 3 } }', 10)
    expect(outcomes).toEqual({ succeeded: 10 })
  })

  it.each(['polls: 3', 'polls: 1'])(
    'at the poll, even while the code for their results loads: %s',
    async (polls) => {
      const { produce } = llm
      vi.spyOn(llm, 'produce').mockImplementation(async (task) => {
        for (let turn = 0; turn < 10; turn++) await setImmediate()
        return produce(task)
      })
      // Loading takes longer than an advance of the clock waits.
      vi.spyOn(InFlight.prototype, 'idle').mockResolvedValue()
      const faults = 'webhooks: { faults: [{ when: { nth: { every: 2 } }, then: before_response }] }'
      const { processing_ms } = await sample(
        `defaults: { delay: { ${polls} } }\n${faults}`,
        10,
        '1',
        'example/chat',
      )
      expect(processing_ms.p100).toBe(0)
    },
  )

  it('for tasks that queue first and end at a poll, and for the tasks behind them', async () => {
    const { outcomes } = await sample(
      `capacity: { running: 1 }
defaults: { delay: 5s }
rules: [{ when: { input: { variant: { min: 10 } } }, then: { delay: { polls: 3 } } }]`,
      20,
    )
    expect(outcomes).toEqual({ succeeded: 20 })
  })

  it('for stuck tasks, even if they would end at a poll', async () => {
    const { outcomes } = await sample('rules: [{ then: { outcome: stuck, delay: { polls: 3 } } }]', 4)
    expect(outcomes).toEqual({ stuck: 4 })
  })

  it('for a task that ends at the millionth poll, in one call', async () => {
    const poll = vi.spyOn(ENGINE, 'poll')
    const { outcomes } = await sample('defaults: { delay: { polls: 1000000 } }', 10)
    expect([outcomes, poll.mock.calls.length]).toEqual([{ succeeded: 10 }, 0])
  })

  it('without the rules that no sample request can match, which it names', async () => {
    const { excluded } = await sample(
      `rate_limits: [{ name: polls, operation: [tasks.retrieve, tasks.list], requests: 2, per: 1s }, { requests: 9, per: 1s }]
faults: [{ when: { operation: files.download }, then: hang }, { name: all, then: 503 }]`,
      1,
    )
    expect(excluded).toEqual(['polls (tasks.retrieve, tasks.list)', 'faults[0] (files.download)'])
  })
})

const WEBHOOKS = `
defaults: { failures: { rate: 0.4 } }
webhooks:
  retries: [1s, 5s]
  receivers:
    - http://a.example/all
    - { url: http://b.example/failed, events: [task.failed] }
    - { url: http://169.254.1.1/never, ordered: true }
  faults:
    - { when: { rate: 0.2 }, then: lost }
    - { when: { rate: 0.2, event: task.failed }, then: duplicate }
    - { when: { rate: 0.2, receiver: '*a.example*' }, then: duplicate_at_once }
    - { when: { rate: 0.3, receiver: '*.example*' }, then: before_response }
    - { when: { nth: { every: 5 } }, then: after_poll }
    - { when: { nth: { every: 4 } }, then: { delay: 5m } }
    - { then: out_of_order }`

it('a preview counts as many attempts as a simulator makes', async () => {
  const scenario = parseScenario(WEBHOOKS)
  const options = { model: 'acme/image-1', tasks: 100, every: 1_000, seed: '1' }
  const { webhookAttempts } = await takeSample(scenario, options)
  const sim = new Simulator(scenario, {
    clock: 'manual',
    seed: '1',
    receivers: [{ url: 'http://127.0.0.1:9/preview' }],
    transport: async () => ({ status: 204 }),
  })
  onTestFinished(() => sim.close())
  const send = createRequests(sim)
  let attempts = 0
  sim.on('delivery.attempted', () => {
    attempts += 1
  })
  for (let variant = 0; variant < 100; variant++) {
    await send({ model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn', variant } })
    await sim.clock.advance('1s')
  }
  await sim.clock.runUntilIdle()
  expect(webhookAttempts).toBe(attempts)
})

it('a preview ends with the error of a failed request', async () => {
  vi.spyOn(ENGINE, 'get').mockImplementation(() => {
    throw new Error('The engine is broken')
  })
  const sim = createSimulator({ clock: 'manual' })
  const reported = vi.fn()
  sim.on('error', reported)
  await expect(sim.control.scenario.preview({ tasks: 2_000 })).rejects.toThrow()
  expect(reported).toHaveBeenCalledWith(new Error('The engine is broken'))
})

describeHosts('a preview', (open) => {
  it('shows what a scenario does without applying it', async () => {
    const { get, post } = await open()
    const { status, body } = await post('/_sim/preview', {
      text: 'kinds: { image: { delay: 3s } }',
      tasks: 20,
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      {
        model: 'example/image',
        kind: 'image',
        requests: 20,
        answers: { 200: 20 },
        tasks: 20,
        outcomes: { succeeded: 20 },
        confidence_95: { outcomes: { succeeded: [expect.closeTo(0.8389, 4), 1] } },
        excluded: [],
        processing_ms: { p50: 3_000 },
      },
    ])
    expect(
      (await post('/_sim/preview', { name: 'stuck', model: 'a/b', tasks: 5 })).body.data[0].outcomes,
    ).toEqual({
      stuck: 5,
    })
    expect((await post('/_sim/preview', { tasks: 2 })).body.data).toHaveLength(6)
    expect((await get('/_sim/state')).body).toMatchObject({ scenario: { name: 'default' }, requests: 0 })
    expect((await get('/_sim/tasks')).body.data).toEqual([])
  })

  it.each([
    [{ tasks: 0 }, 'tasks'],
    [{ tasks: 2_001 }, 'tasks'],
    [{ model: 7 }, 'model'],
    [{ text: 7 }, 'text'],
  ])('is rejected with the name of the field: %j', async (body, param) => {
    const { post } = await open()
    expect(await post('/_sim/preview', body)).toMatchObject({ status: 400, body: { error: { param } } })
  })

  it('reports the mistakes in the scenario', async () => {
    const { post } = await open()
    const { body } = await post('/_sim/preview', { text: 'kinds: { image: { delay: x } }' })
    expect(body.error).toMatchObject({ code: 'invalid_scenario', mistakes: [{ line: 1 }] })
  })

  deepTest('is rejected if it does not fit into the memory budget of the simulator', async () => {
    const { post, sim } = await open({ keepBytes: '1MB' })
    const used = sim.memory.used
    const scenario = { defaults: { delay: '300d' } }
    const { status, body } = await post('/_sim/preview', { scenario, model: 'acme/image-1', tasks: 2_000 })
    expect([status, body.error.code]).toEqual([503, 'over_budget'])
    expect(sim.memory.usage().live_tasks).toBe(0)
    expect(sim.memory.used - (sim.memory.usage().journal ?? 0)).toBeLessThanOrEqual(used)
  })

  it('ends when its client disconnects', async () => {
    const { send, sim } = await open()
    const creates = vi.spyOn(ENGINE, 'create')
    const gone = new AbortController()
    creates.mockImplementationOnce(function (this: typeof ENGINE, order) {
      gone.abort()
      return this.create(order)
    })
    const answered = new Promise<number>((resolve) => {
      sim.on('request.answered', ({ status }) => resolve(status))
    })
    const body = JSON.stringify({ model: 'acme/image-1', tasks: 2_000 })
    const headers = { 'content-type': 'application/json' }
    const request = send('/_sim/preview', { method: 'POST', headers, body, signal: gone.signal })
    void request.catch(() => {})
    expect(await answered).toBe(400)
    expect(creates.mock.calls.length).toBeLessThan(2_000)
  })
})

deepTest(
  'the confidence interval of a preview contains the true share in about 95 of 100 samples',
  async () => {
    let hits = 0
    for (let seed = 0; seed < 40; seed++) {
      const { outcomes } = await sample('defaults: { failures: { rate: 0.2 } }', 100, String(seed))
      const [low, high] = shareInterval(outcomes['failed'] ?? 0, 100)
      if (low <= 0.2 && 0.2 <= high) hits += 1
    }
    expect(hits).toBeGreaterThanOrEqual(34)
  },
)
