import { describe, expect, test } from 'vitest'
import { defineScenario, parseScenario, type ScenarioInput } from '../../../src/index.js'
import { FINDING_RULES } from '../../../src/inspect/findings/rules.js'
import type { ShownTask } from '../../support/robust-client.js'
import { found, HOOK, type Stage, stage } from './stage.js'

const IMAGE = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }

type Findings = NonNullable<ScenarioInput['findings']>

async function hasty(findings: Findings): Promise<Stage> {
  const on = stage({ scenario: { findings } }, { pollInterval: () => 400 })
  await on.live(on.client.generate(IMAGE))
  return on
}

describe('the findings settings of a scenario', () => {
  test('omit an ignored rule, and say so', async () => {
    const { sim } = await hasty({ ignore: ['polls-too-fast'] })
    expect(await found(sim)).toEqual([])
    expect((await sim.verdict()).checked).toContainEqual(
      expect.objectContaining({ id: 'polls-too-fast', state: 'ignored' }),
    )
  })

  test.each<[string, Findings['thresholds'], readonly string[]]>([
    ['with the interval of its kind', { poll_interval: { image: '400ms' } }, []],
    ['not with the interval of another kind', { poll_interval: { video: '400ms' } }, ['polls-too-fast']],
    ['with the tolerance', { tolerance: 0.6 }, []],
    ['with the number of fast polls', { fast_polls: 100 }, []],
    ['with none of these', {}, ['polls-too-fast']],
  ])('move %s', async (_, thresholds, expected) => {
    expect(await found((await hasty({ thresholds })).sim)).toEqual(expected)
  })

  test('apply to a kind that the scenario defines by its own name, or else by that of its base', async () => {
    const scenario = { kinds: { icon: { like: 'image' } }, models: { 'acme/*': { kind: 'icon' } } } as const
    const findingsFor = async (poll_interval: Readonly<Record<string, '400ms'>>) => {
      const findings = { thresholds: { poll_interval } }
      const on = stage({ scenario: { ...scenario, findings } }, { pollInterval: () => 400 })
      await on.live(on.client.generate(IMAGE))
      return found(on.sim)
    }
    expect(await findingsFor({ icon: '400ms' })).toEqual([])
    expect(await findingsFor({ image: '400ms' })).toEqual([])
    expect(await findingsFor({})).toEqual(['polls-too-fast'])
  })

  test('extend those of the base scenario', () => {
    const lower = defineScenario({ findings: { ignore: ['hot-linked'], thresholds: { downloads: 7 } } })
    expect(lower.findings.thresholds).toMatchObject({ downloads: 7, silence: 60_000 })
    const text = 'extends: default\nfindings:\n  ignore: [polls-too-fast]\n  thresholds: { silence: 5m }'
    const { findings } = parseScenario(text)
    expect(findings.ignore).toEqual(['polls-too-fast'])
    expect(findings.thresholds).toMatchObject({
      silence: 300_000,
      poll_interval: { image: 1_000, video: 3_000 },
    })
  })

  test('keep their defaults for undefined in code', () => {
    const thresholds = { silence: undefined, poll_interval: { image: undefined } }
    const scenario = defineScenario({ findings: { thresholds } } as ScenarioInput)
    expect(scenario.findings.thresholds).toMatchObject({ silence: 60_000, poll_interval: { image: 1_000 } })
  })

  test.each([
    [
      'findings:\n  ignore: [poll-too-fast]',
      /2:12: findings\.ignore\[0\]: .*did you mean `polls-too-fast`\?/,
    ],
    ['findings:\n  thresholds: { silense: 5m }', /did you mean `silence`\?/],
    ['findings:\n  thresholds: { poll_interval: { picture: 1s } }', /unknown field `picture`/],
    ['findings:\n  thresholds: { silence: 5 }', /expected a duration/],
    ['findings:\n  thresholds: { tolerance: 2 }', /expected a number from 0 to 1/],
  ])('are validated: %j', (text, message) => {
    expect(() => parseScenario(text)).toThrow(message)
  })
})

describe('a verdict', () => {
  test('reports nothing as observed if nothing has happened', async () => {
    const { checked, findings } = await stage().sim.verdict({ final: true })
    expect(findings).toEqual([])
    expect(checked.map(({ id }) => id)).toEqual(FINDING_RULES.map(({ id }) => id))
    expect(new Set(checked.map(({ state }) => state))).toEqual(new Set(['not_observed']))
  })

  test('does not report a client that may still act', async () => {
    const on = stage()
    await on.live(on.client.create(IMAGE))
    await on.sim.clock.advance('30s')
    expect(await on.sim.findings()).toEqual([])
    expect(await found(on.sim)).toEqual(['result-never-learned'])
    await on.sim.clock.advance('40s')
    expect((await on.sim.findings()).map(({ id }) => id)).toEqual(['result-never-learned'])
  })

  test('does not report a client that has asked for a running task, even at the end', async () => {
    const on = stage({ scenario: 'stuck' })
    const { id } = await on.live(on.client.create(IMAGE))
    await on.around.send(`/api/v1/tasks/${id}`, { headers: { authorization: 'Bearer sk_live_local' } })
    expect(await found(on.sim)).toEqual([])
  })

  test.each(['default', 'stuck'])(
    'reports at the end that a client has never asked for a running task (%s)',
    async (scenario) => {
      const on = stage({ scenario })
      await on.live(on.client.create(IMAGE))
      expect(await on.sim.findings()).toEqual([])
      const [finding] = (await on.sim.verdict({ final: true })).findings
      expect(finding?.id).toBe('result-never-learned')
      expect(finding?.evidence[0]?.seen).toContain('still running at the end')
    },
  )

  test('does not report a client whose running task has a receiver', async () => {
    const receivers = [{ url: HOOK, handle: () => new Response(), everyTask: true }]
    const registered = stage({ receivers })
    await registered.live(registered.client.create(IMAGE))
    const named = stage()
    await named.live(named.client.create({ ...IMAGE, webhook_url: HOOK }))
    for (const { sim } of [registered, named])
      expect((await sim.verdict({ final: true })).checked).toContainEqual(
        expect.objectContaining({
          id: 'result-never-learned',
          state: 'not_observed',
          reason: expect.stringContaining('still running'),
        }),
      )
  })

  test('is open about a client that gave up a poll while its webhook was to come', async () => {
    const scenario = { faults: [{ when: { operation: 'tasks.retrieve' as const }, then: 503 }] }
    const on: Stage = stage(
      { scenario, receivers: [{ url: HOOK, handle: () => new Response(), everyTask: true }] },
      { pollTries: 1 },
    )
    await on.live(on.client.generate({ ...IMAGE, webhook_url: HOOK }).catch(() => {}))
    const { checked } = await on.sim.verdict({ final: true })
    expect(checked.find(({ id }) => id === 'gives-up-after-failed-poll')).toMatchObject({
      state: 'not_observed',
      reason: expect.stringContaining('webhook'),
    })
  })

  test('is open about a task that succeeded after its cancel request had failed', async () => {
    const scenario = { faults: [{ when: { operation: 'tasks.cancel' as const }, then: 503 }] }
    const on = stage({ scenario }, { tries: 1 })
    await on.live(on.client.create(IMAGE).then((task) => on.client.cancel(task).catch(() => {})))
    await on.sim.clock.runUntilIdle()
    const { checked } = await on.sim.verdict({ final: true })
    expect(checked.find(({ id }) => id === 'result-never-learned')).toMatchObject({
      state: 'not_observed',
      reason: expect.stringContaining('cancel request failed'),
    })
  })

  test('is open about a lost answer of which only the webhook was accepted', async () => {
    const scenario = { extends: 'lost-create-response' }
    const receivers = [{ url: HOOK, handle: () => new Response(), everyTask: true }]
    const on: Stage = stage({ scenario, receivers }, { isRetried: () => false, looksBeforeRetry: false })
    const order = { model: 'acme/composer-2.5', input: { messages: [{ role: 'user', content: 'Hi' }] } }
    await on.live(on.client.create(order).catch(() => {}))
    await on.sim.clock.runUntilIdle()
    const { checked } = await on.sim.verdict({ final: true })
    expect(checked.find(({ id }) => id === 'orphans-task')?.reason).toContain('Nothing shows')
  })

  test.each(['lost-create-response', 'unanswered-create'])(
    'counts a retry in %s whose result the client does not take, because a webhook brought the first',
    async (name) => {
      const ended: ShownTask[] = []
      const handle = async (request: Request) => {
        ended.push((await request.json()).task)
        return new Response(null, { status: 204 })
      }
      const on: Stage = stage(
        { scenario: { extends: name }, receivers: [{ url: HOOK, handle, everyTask: true }] },
        { looksBeforeRetry: false },
      )
      await on.live(on.client.create({ ...IMAGE, webhook_url: HOOK }))
      await on.sim.clock.runUntilIdle()
      expect(ended).toHaveLength(2)
      await on.live(on.client.download(ended[0] as ShownTask))
      expect(await found(on.sim)).toContain('pays-twice')
    },
  )

  test('counts a create request that is still unanswered at the end', async () => {
    const faults = [{ when: { operation: 'tasks.create' as const, nth: 1 }, then: { delay: '90s' as const } }]
    const on = stage({ scenario: { faults } }, { looksBeforeRetry: false })
    await on.live(on.client.generate(IMAGE))
    expect(await found(on.sim)).toEqual(['pays-twice'])
  })

  test('lists the most severe finding first', async () => {
    const on = stage({}, { pollInterval: () => 100, sendsKeyToFiles: true })
    await on.live(on.client.generate(IMAGE))
    await on.around.send('/v1/task', { headers: { authorization: 'Bearer sk_live_local' } })
    expect(await found(on.sim)).toEqual(['key-sent-to-file-host', 'polls-too-fast', 'mixed-path-forms'])
  })

  test('restarts after a reset', async () => {
    const { sim } = await hasty({})
    await sim.reset()
    expect(await found(sim)).toEqual([])
  })

  test('does not mistake a frozen clock for fast polling', async () => {
    const on = stage()
    const { id } = await on.live(on.client.create(IMAGE))
    for (let poll = 0; poll < 10; poll++)
      await on.around.send(`/api/v1/tasks/${id}`, { headers: { authorization: 'Bearer sk_live_local' } })
    expect(await on.sim.findings()).toEqual([])
  })

  test('keeps twenty of many pieces of evidence, and counts all', async () => {
    const on = stage({}, { extraFields: { webhookUrl: HOOK } })
    for (let count = 0; count < 25; count++) await on.live(on.client.create(IMAGE))
    const finding = (await on.sim.findings()).find(({ id }) => id === 'unknown-fields')
    expect(finding).toMatchObject({ count: 25 })
    expect(finding?.evidence).toHaveLength(20)
    expect(finding?.evidence[0]?.seen).toBe('The request has `webhookUrl` (did you mean `webhook_url`?)')
  })
})

describe('a fact that cannot be observed from outside', () => {
  const stateOf = async ({ sim }: Stage, id: string) =>
    (await sim.verdict({ final: true })).checked.find((rule) => rule.id === id)

  test('is reported as not observed, with the missing observation, unless the test reports it', async () => {
    const on = stage()
    const { id } = await on.live(on.client.generate(IMAGE))
    expect(await stateOf(on, 'keeps-output-url')).toMatchObject({
      state: 'not_observed',
      needs: 'output.kept',
    })
    on.sim.observe('output.kept', { taskId: id, as: 'file' })
    expect(await stateOf(on, 'keeps-output-url')).toMatchObject({ state: 'ok' })
  })

  test('is reported as ok only if the situation occurred: a webhook that arrives twice', async () => {
    const run = async (scenario: ScenarioInput) => {
      const receivers = [{ url: HOOK, handle: (request: Request) => on.app.handle(request), everyTask: true }]
      const on: Stage = stage({ scenario, receivers })
      const { id } = await on.live(on.client.generate(IMAGE))
      await on.sim.clock.runUntilIdle()
      on.sim.observe('webhook.processed', { taskId: id, by: 'billing' })
      on.sim.observe('webhook.processed', { taskId: id, by: 'mail' })
      return stateOf(on, 'processes-webhook-twice')
    }
    expect(await run({})).toMatchObject({ state: 'not_observed', needs: 'webhook.processed' })
    expect(await run({ webhooks: { faults: [{ then: 'duplicate' }] } })).toMatchObject({ state: 'ok' })
  })
})

describe('an attempt to deliver a webhook', () => {
  const stateOf = async (handle: () => Response | Promise<Response>) => {
    const on = stage({ receivers: [{ url: HOOK, handle, everyTask: true }] })
    await on.live(on.client.generate({ ...IMAGE, webhook_url: HOOK }))
    await on.sim.clock.runUntilIdle()
    const { checked } = await on.sim.verdict({ final: true })
    const state = (id: string) => checked.find((rule) => rule.id === id)?.state
    return [state('slow-webhook'), state('redirects-webhook')]
  }

  test('says nothing about a receiver that cannot be reached', async () => {
    expect(await stateOf(() => Promise.reject(new Error('connection refused')))).toEqual([
      'not_observed',
      'not_observed',
    ])
  })

  test('counts if the receiver answers with any status', async () => {
    expect(await stateOf(() => new Response(null, { status: 500 }))).toEqual(['ok', 'ok'])
  })
})
