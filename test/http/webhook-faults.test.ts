import { expect, it } from 'vitest'
import { always, deliveriesOf, type Then, withWebhookFaults } from './faulty-webhooks.js'
import { describeHosts, IMAGE, VIDEO } from './hosts.js'
import { hmac, isGenuine, parsed, startRawReceiver, statuses } from './raw-receiver.js'

describeHosts('a webhook with damaged bytes', (open) => {
  it.each<[Then, string]>([
    ['truncated', 'no JSON'],
    ['changed', 'task.failed'],
    [{ body: 'truncated' }, 'no JSON'],
    [{ body: 'changed' }, 'task.failed'],
  ])('does not verify, and the retry does: %j', async (then, seen) => {
    const { url, received } = await startRawReceiver(statuses(400, 204))
    const { sim, post } = await open({ scenario: always(then), receivers: [url] })
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1h')
    const [damaged, right] = received
    expect(received.map((event) => isGenuine(event))).toEqual([false, true])
    expect(parsed(right as (typeof received)[0])).toMatchObject({
      event: 'task.succeeded',
      task: { id: task.id },
    })
    // The signature is that of the undamaged bytes.
    expect(damaged?.signature).toBe(right?.signature)
    if (seen === 'no JSON') {
      expect(right?.text.startsWith(damaged?.text ?? '')).toBe(true)
      expect(() => JSON.parse(damaged?.text ?? '{}')).toThrow(SyntaxError)
    } else {
      expect(JSON.parse(damaged?.text ?? '{}')).toMatchObject({
        event: seen,
        task: { id: task.id, status: 'failed' },
      })
    }
  })
})

describeHosts('a webhook with another content', (open) => {
  it.each<[Then, object, boolean?]>([
    [{ patch: { status: 'on_hold', output: null } }, { status: 'on_hold' }, true],
    [{ nulls: ['output'] }, { status: 'succeeded', output: null }],
    [{ nulls: ['output.images', 'output.a.b'] }, { output: { images: null, a: { b: null } } }],
    [
      { patch: { output: { images: null, note: 'new' } }, nulls: ['usage.tokens'] },
      { output: { note: 'new' }, usage: { tokens: null } },
    ],
  ])(
    'has a changed task and a valid signature, with every attempt: %j',
    async (then, changed, isWithoutOutput = false) => {
      const { url, received } = await startRawReceiver(statuses(500, 204))
      const { sim, post } = await open({ scenario: always(then), receivers: [url] })
      const { body } = await post('/api/v1/tasks', IMAGE)
      await sim.clock.advance('1h')
      expect(received.map((event) => isGenuine(event))).toEqual([true, true])
      for (const event of received) {
        const { event: name, task } = parsed(event) as { event: string; task: Record<string, unknown> }
        expect(name).toBe('task.succeeded')
        expect(task).toMatchObject({ ...changed, id: body.id })
        expect('output' in task).toBe(!isWithoutOutput)
      }
    },
  )
})

describeHosts('a webhook in unusual bytes', (open) => {
  it.each<[Then, object]>([
    ['extra_field', { api_version: expect.any(String) }],
    ['spaced', {}],
    ['reordered', {}],
    [{ body: 'spaced' }, {}],
  ])('has the same meaning and a valid signature, with every attempt: %j', async (then, extra) => {
    const usual = await startRawReceiver()
    const { url, received } = await startRawReceiver(statuses(500, 204))
    const { sim, post } = await open({
      scenario: withWebhookFaults({ when: { receiver: url }, then }),
      receivers: [url, usual.url],
    })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1h')
    const [{ text, headers }] = usual.received as [(typeof received)[0]]
    expect(received.map((event) => isGenuine(event))).toEqual([true, true])
    for (const event of received) {
      expect(event.text).not.toBe(text)
      expect(parsed(event)).toEqual({ ...JSON.parse(text), ...extra })
      expect(event.headers['content-type']).toBe(headers['content-type'])
    }
    expect(received[0]?.text).toBe(received[1]?.text)
  })

  it('has the usual bytes at the second attempt, if only the first was to be unusual', async () => {
    const { url, received } = await startRawReceiver(statuses(500))
    const scenario = always({ body: 'spaced', attempts: 'first' })
    const { sim, post } = await open({ scenario, receivers: [url] })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1h')
    expect(received.map(({ text }) => text.includes('\n'))).toEqual([true, false, false, false])
    expect(received.map((event) => isGenuine(event))).toEqual([true, true, true, true])
  })
})

describeHosts('a signature', (open) => {
  it.each<[Then, (right: string, body: Buffer) => string | undefined | RegExp]>([
    ['wrong_signature', () => /^[0-9a-f]{64}$/],
    ['no_signature', () => undefined],
    ['empty_signature', () => ''],
    ['malformed_signature', () => /[^0-9a-f]/],
    ['previous_secret', (_, body) => hmac(body, 'whsec_previous_signing_secret')],
    [{ signature: 'missing' }, () => undefined],
    [{ signature: 'empty', body: 'spaced' }, () => ''],
  ])('is invalid at first, over a valid body: %j', async (then, expected) => {
    const { url, received } = await startRawReceiver(statuses(401, 204))
    const { sim, post } = await open({ scenario: always(then), receivers: [url] })
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1h')
    const [first, second] = received as [(typeof received)[0], (typeof received)[0]]
    expect(received).toHaveLength(2)
    expect(parsed(first).task.id).toBe(task.id)
    expect(isGenuine(first)).toBe(false)
    const wanted = expected(hmac(first.body), first.body)
    if (wanted instanceof RegExp) expect(first.signature).toMatch(wanted)
    else expect(first.signature).toBe(wanted)
    if (typeof then === 'string') expect([isGenuine(second), second.text]).toEqual([true, first.text])
  })

  it.each<[Then, boolean[]]>([
    [{ signature: 'wrong', attempts: 'first' }, [false, true, true, true]],
    [{ signature: 'wrong', attempts: 'all' }, [false, false, false, false]],
    [{ body: 'truncated', attempts: 'all' }, [false, false, false, false]],
    [{ body: 'changed', signature: 'previous_secret' }, [false, true, true, true]],
  ])('is invalid for the configured number of attempts: %j', async (then, genuine) => {
    const { url, received } = await startRawReceiver(statuses(500))
    const { sim, post } = await open({ scenario: always(then), receivers: [url] })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1h')
    expect(received.map((event) => isGenuine(event))).toEqual(genuine)
  })

  it('by the previous secret uses the one that the scenario names', async () => {
    const { url, received } = await startRawReceiver()
    const { sim, post } = await open({
      scenario: {
        webhooks: { secret: 'new', previous_secret: 'old', faults: [{ then: 'previous_secret' }] },
      },
      receivers: [url],
    })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1m')
    expect(received.map((event) => isGenuine(event, 'old'))).toEqual([true])
  })
})

describeHosts('a duplicate webhook', (open) => {
  it.each<[Then]>([['duplicate'], [{ duplicate: 'in_turn' }]])(
    'arrives again after it was accepted, and is retried like any other: %j',
    async (then) => {
      const receiver = await startRawReceiver(statuses(500, 204, 500, 204))
      const { sim, post } = await open({ scenario: always(then), receivers: [receiver.url] })
      const attempts: unknown[] = []
      sim.on('delivery.attempted', ({ id, copyOf, state }) => attempts.push([id, copyOf, state]))
      await post('/api/v1/tasks', IMAGE)
      await sim.clock.advance('1h')
      const [first, copy] = deliveriesOf(sim).map(({ id }) => id)
      expect(attempts).toEqual([
        [first, undefined, 'pending'],
        [first, undefined, 'delivered'],
        [copy, first, 'pending'],
        [copy, first, 'delivered'],
      ])
      expect(receiver.maxConcurrent).toBe(1)
      expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
      expect(receiver.received.every((event) => isGenuine(event))).toBe(true)
    },
  )

  it.each<[Then]>([['duplicate_at_once'], [{ duplicate: 'at_once' }]])(
    'is in transmission twice at the same time: %j',
    async (then) => {
      const waiting: (() => void)[] = []
      // Answers no request before both have arrived.
      const receiver = await startRawReceiver((_, response) => {
        waiting.push(() => response.writeHead(204).end())
        if (waiting.length === 2) for (const answer of waiting) answer()
      })
      const { sim, post } = await open({ scenario: always(then), receivers: [receiver.url] })
      await post('/api/v1/tasks', IMAGE)
      await sim.clock.advance('1s')
      expect(receiver.maxConcurrent).toBe(2)
      expect(deliveriesOf(sim).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
      expect(receiver.received[0]?.text).toBe(receiver.received[1]?.text)
    },
  )
})

describeHosts('a lost webhook', (open) => {
  it.each<[Then]>([['lost'], [{ lost: true }]])('is never sent, and logged as lost: %j', async (then) => {
    const { url, received } = await startRawReceiver()
    const { sim, post } = await open({ scenario: always(then), receivers: [url] })
    const opened: unknown[] = []
    sim.on('delivery.opened', ({ event, state, rule }) => opened.push([event, state, rule]))
    await post('/api/v1/tasks', VIDEO)
    await sim.clock.advance('1d')
    expect(received).toHaveLength(0)
    expect(opened).toEqual([['task.succeeded', 'lost', 'webhooks.faults[0]']])
    expect(sim.webhooks.log.counts).toEqual({ pending: 0, delivered: 0, given_up: 0, lost: 1 })
  })

  it('is not sent for a cancel either', async () => {
    const { url, received } = await startRawReceiver()
    const { sim, post } = await open({ scenario: always('lost'), receivers: [url] })
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    await post(`/api/v1/tasks/${task.id}/cancel`)
    await sim.clock.advance('1h')
    expect(received).toHaveLength(0)
    expect(deliveriesOf(sim).map(({ event, state }) => [event, state])).toEqual([['task.canceled', 'lost']])
  })
})
