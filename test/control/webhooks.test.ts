import { expect, it } from 'vitest'
import { verifyWebhook } from '../../src/engine/webhooks/signing/sign-attempt.js'
import { startReceiver } from '../http/receiver.js'
import { code, describeClients, first, QUICK, refusal } from './describe-clients.js'

const SECRET = 'whsec_a_secret_of_its_own'

describeClients('receivers in the control API', (open) => {
  it('are added, listed and removed, with masked secrets', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const { url, received } = await startReceiver()
    const added = await control.receivers.add({
      url,
      secret: SECRET,
      events: ['task.succeeded'],
      retries: ['5s'],
      timeout: '2s',
      ordered: true,
    })
    expect(added).toMatchObject({
      url,
      source: 'control',
      active: true,
      events: ['task.succeeded'],
      retries_ms: [5_000],
      timeout_ms: 2_000,
      ordered: true,
    })
    const listed = await control.receivers.list()
    expect(listed).toEqual([added])
    expect(JSON.stringify(listed)).not.toContain(SECRET)
    await order()
    await control.clock.advance('1s')
    expect(received).toHaveLength(1)
    expect((await control.receivers.remove(added.id)).id).toBe(added.id)
    await order()
    await control.clock.advance('1s')
    expect(received).toHaveLength(1)
    expect(await code(control.receivers.remove(added.id))).toBe('404 not_found')
  })

  it.each([
    [{}, 'url'],
    [{ url: 'ftp://x/' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'http://x/', timeout: 'soon' }, 'timeout'],
    [{ url: 'http://x/', timeout: '0s' }, 'timeout'],
    [{ url: 'http://x/', events: ['task.exploded'] }, 'events[0]'],
    [{ url: 'http://x/', nonsense: 1 }, 'nonsense'],
  ])('are not created from %j', async (receiver, param) => {
    const { control } = await open()
    const { status, details } = await refusal(control.receivers.add(receiver as { url: string }))
    expect([status, details['param']]).toEqual([400, param])
    expect(await control.receivers.list()).toEqual([])
  })

  it('are not added twice', async () => {
    const { control } = await open()
    await control.receivers.add({ url: 'http://127.0.0.1:9/hook' })
    expect(await code(control.receivers.add({ url: 'http://127.0.0.1:9/hook' }))).toBe('409 conflict')
  })
})

describeClients('deliveries in the control API', (open) => {
  it('are listed newest first, filtered, paged and counted', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const good = await startReceiver()
    const bad = await startReceiver((_, response) => response.writeHead(500).end())
    const origin = new URL(bad.url).origin
    await control.receivers.add({ url: good.url })
    const { id: badId } = await control.receivers.add({ url: origin, retries: [] })
    const ids: string[] = []
    for (let number = 0; number < 3; number++) {
      ids.unshift(await order({ model: 'acme/image-1', input: { number } }))
      await control.clock.advance('1s')
    }
    const all = await control.deliveries.list()
    expect(all.data.map(({ task_id: id }) => id)).toEqual(ids.flatMap((id) => [id, id]))
    expect(all).toMatchObject({ has_more: false, counts: { delivered: 3, given_up: 3, pending: 0 } })
    const page = await control.deliveries.list({ limit: 4 })
    const rest = await control.deliveries.list({ limit: 4, after: page.next_cursor ?? '' })
    expect([...page.data, ...rest.data]).toEqual(all.data)
    expect([page.has_more, rest.has_more, rest.next_cursor]).toEqual([true, false, null])
    const states = async (query: Parameters<typeof control.deliveries.list>[0]) =>
      (await control.deliveries.list(query)).data.map(({ state }) => state)
    expect(await states({ state: 'given_up' })).toEqual(['given_up', 'given_up', 'given_up'])
    for (const receiver of [badId, `${origin}/`, origin])
      expect(await states({ receiver, limit: 2 })).toEqual(['given_up', 'given_up'])
    expect(await states({ task: ids[0] ?? '', receiver: good.url })).toEqual(['delivered'])
    expect(await states({ receiver: 'rcv_none' })).toEqual([])
    expect(await code(control.deliveries.list({ after: 'dlv_none' }))).toBe('400 invalid_request')
    expect(await code(control.deliveries.list({ state: 'gone' as 'lost' }))).toBe('400 invalid_request')
  })

  it('are listed in brief, without headers and bodies', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const { url } = await startReceiver((number, response) =>
      response.writeHead(number === 1 ? 500 : 204).end(),
    )
    await order({ model: 'acme/image-1', input: {}, webhook_url: url })
    await control.clock.advance('3s')
    const { data, counts } = await control.deliveries.brief({ state: 'delivered' })
    const { attempts, ...rest } = first((await control.deliveries.list()).data)
    expect(counts['delivered']).toBe(1)
    expect(data).toEqual([
      { ...rest, attempts: attempts.map(({ request: _, response: __, ...brief }) => brief) },
    ])
    expect(data[0]?.attempts.map(({ status }) => status)).toEqual([500, 204])
  })

  it.each(['wrong_signature', 'no_signature', 'changed', 'reordered', 'old_timestamp'] as const)(
    'show how an attempt with the fault %s should have been',
    async (fault) => {
      const faults = [{ name: 'forger', then: fault }]
      const { control, sim } = await open({ scenario: { ...QUICK, webhooks: { faults } } })
      const { url } = await startReceiver((_, response) => response.writeHead(500).end())
      await sim.dialects.load('replicate')
      const order = { owner: 'k', dialect: 'replicate', model: 'm', input: {}, webhookUrl: url, origin: '' }
      await sim.create(order)
      await control.clock.advance('10s')
      const { id, attempts } = first((await control.deliveries.list()).data)
      expect(attempts[0]).not.toHaveProperty('expected')
      const [broken, retry] = (await control.deliveries.get(id)).attempts
      if (fault !== 'reordered') expect(retry).not.toHaveProperty('expected')
      const { headers = {}, body = '' } = broken?.expected ?? {}
      expect(body === broken?.request.body).toBe(!['changed', 'reordered'].includes(fault))
      const format = (await sim.dialects.load('replicate')).webhooks(sim.scenario)
      const message = { headers, body: new TextEncoder().encode(body) }
      expect(await verifyWebhook(format, message, format.secret)).toBe('right')
      expect(JSON.stringify(headers) === JSON.stringify(broken?.request.headers)).toBe(fault === 'changed')
    },
  )

  it('are shown byte by byte, and sent again on request', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const { url, received } = await startReceiver((_, response) =>
      response.writeHead(200, { 'x-own': 'yes' }).end('fine'),
    )
    await order({ model: 'acme/image-1', input: {}, webhook_url: url })
    await control.clock.advance('1s')
    const delivery = first((await control.deliveries.list()).data)
    const { request, response } = first(delivery.attempts)
    expect(Buffer.from(request.body_base64, 'base64')).toEqual(received[0]?.body)
    expect(request.headers['X-Service-Signature']).toBe(received[0]?.headers['x-service-signature'])
    expect(response).toMatchObject({ status: 200, body: 'fine', headers: { 'x-own': 'yes' } })
    expect(await control.deliveries.get(delivery.id)).toEqual(delivery)
    const again = await control.deliveries.redeliver(delivery.id)
    expect(again).toMatchObject({ copy_of: delivery.id, state: 'delivered', task_id: delivery.task_id })
    expect(received.map(({ body }) => body)).toEqual([received[0]?.body, received[0]?.body])
    expect(await code(control.deliveries.get('dlv_none'))).toBe('404 not_found')
    expect(await code(control.deliveries.redeliver('dlv_none'))).toBe('404 not_found')
  })

  it('are sent again with another body, further headers and a wrong signature', async () => {
    const { control, order, sim } = await open({ scenario: QUICK })
    const { url, received } = await startReceiver((_, response) => response.writeHead(200).end())
    await order({ model: 'acme/image-1', input: {}, webhook_url: url })
    await control.clock.advance('1s')
    const { id } = first((await control.deliveries.list()).data)
    const format = (await sim.dialects.load('tasks')).webhooks(sim.scenario)
    const body = '{ "event": "task.failed" }'
    const changed = await control.deliveries.redeliver(id, { body, headers: { 'x-try': '2' } })
    expect(changed).toMatchObject({ copy_of: id, attempts: [{ request: { body } }] })
    expect(received[1]).toMatchObject({ body: Buffer.from(body), headers: { 'x-try': '2' } })
    expect(await checkOf(received[1])).toBe('right')
    const forged = await control.deliveries.redeliver(id, { body, signature: 'wrong' })
    expect(forged.attempts).toMatchObject([{ flaw: 'wrong', status: 200 }])
    expect(await checkOf(received[2])).toBe('wrong')
    expect(await code(control.deliveries.redeliver(id, { signature: 'bad' as 'wrong' }))).toBe(
      '400 invalid_request',
    )

    function checkOf(sent: (typeof received)[number] | undefined) {
      const headers = Object.fromEntries(
        Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)]),
      )
      const message = { headers, body: Uint8Array.from(sent?.body ?? []) }
      return verifyWebhook(format, message, format.secret)
    }
  })
})

describeClients('a triggered webhook', (open) => {
  it('goes to one URL or to all receivers of its event type, without a task', async () => {
    const { control } = await open()
    const [one, other] = [await startReceiver(), await startReceiver()]
    await control.receivers.add({ url: other.url, events: ['task.failed'] })
    expect(await control.webhooks.trigger('task.succeeded', one.url)).toMatchObject([
      { url: one.url, event: 'task.succeeded', state: 'delivered' },
    ])
    expect(await control.webhooks.trigger('task.succeeded')).toEqual([])
    expect(await control.webhooks.trigger('task.failed')).toHaveLength(1)
    expect([one, other].map(({ received }) => received.map(({ json }) => json.event))).toEqual([
      ['task.succeeded'],
      ['task.failed'],
    ])
    expect((await control.tasks.list()).data).toEqual([])
  })

  it.each([
    ['tasks', 'task.failed', 'task.failed', 'right'],
    ['replicate', 'task.output', 'processing', 'right'],
    ['openrouter', 'task.succeeded', 'video.generation.completed', 'right'],
    ['luma', 'task.started', 'dreaming', 'unsigned'],
  ] as const)('has the format of %s for %s', async (dialect, event, word, signature) => {
    const { control, sim } = await open()
    const { url, received } = await startReceiver()
    const [delivery] = await control.webhooks.trigger(event, url, { dialect })
    expect(delivery).toMatchObject({ dialect, state: 'delivered' })
    const [{ headers = {}, body = Buffer.of(), json = {} } = {}] = received
    const { webhooks, answers } = await sim.dialects.load(dialect)
    expect(json.event ?? json.type ?? json[answers.status]).toBe(word)
    const format = webhooks(sim.scenario)
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const check = verifyWebhook(format, { headers: named, body: new Uint8Array(body) }, format.secret)
    expect(await check).toBe(signature)
  })

  it.each([
    ['runway', 'task.failed', 'event', 'The dialect runway does not send task.failed. It sends no webhooks.'],
    [
      'tasks',
      'task.logs',
      'event',
      'The dialect tasks does not send task.logs. It sends task.succeeded, task.failed, task.canceled.',
    ],
    ['lume', 'task.failed', 'dialect', 'GET /_sim/dialects'],
  ] as const)('is rejected in the format of %s for %s', async (dialect, event, param, message) => {
    const { control } = await open()
    const { status, details } = await refusal(
      control.webhooks.trigger(event, 'http://127.0.0.1:9/', { dialect }),
    )
    expect([status, details['param']]).toEqual([400, param])
    expect(details['message']).toContain(message)
  })

  it.each([
    ['task.exploded', undefined],
    ['task.failed', 'ftp://x/'],
    ['task.failed', null],
  ])('is rejected: %s to %s', async (event, url) => {
    const { control } = await open()
    expect(await code(control.webhooks.trigger(event as 'task.failed', url as string))).toBe(
      '400 invalid_request',
    )
  })
})

describeClients('a receiver that truncates its answer', (open) => {
  it('has accepted the webhook, and the attempt records that the body is incomplete', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const { url } = await startReceiver((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 })
      response.write('half', () => response.destroy())
    })
    await control.receivers.add({ url })
    await order()
    await control.clock.advance('1s')
    const [delivery] = (await control.deliveries.list()).data
    expect(delivery?.state).toBe('delivered')
    expect(delivery?.attempts[0]?.response).toMatchObject({
      status: 200,
      body: 'half',
      partial: 'the connection closed before the end of the body',
    })
  })
})

describeClients('webhooks to a forbidden target', (open) => {
  const FOREIGN = 'http://169.254.169.254/latest'

  it('are rejected wherever a request can name a target, and nothing changes', async () => {
    const { control, sim, order } = await open({ webhookAllow: ['http://127.0.0.1:*'] })
    const receivers = { webhooks: { receivers: ['http://127.0.0.1:9/hook', { url: FOREIGN }] } }
    const before = sim.scenario
    const calls = [
      control.receivers.add({ url: FOREIGN }),
      control.webhooks.trigger('task.failed', FOREIGN),
      control.scenario.replace({ scenario: receivers }),
      control.scenario.replace({ text: JSON.stringify(receivers) }),
      control.scenario.patch(receivers),
      control.sandboxes.create({ scenario: receivers }),
    ]
    for (const { message } of await Promise.all(calls.map(refusal))) expect(message).toContain(FOREIGN)
    expect(await order({ model: 'm', input: {}, webhook_url: FOREIGN })).toBeUndefined()
    expect([sim.scenario, sim.webhooks.receivers.list(), sim.sandboxes.size]).toEqual([before, [], 0])
  })

  it('are rejected in sandboxes as well', async () => {
    const { control, order } = await open({ webhookAllow: ['http://127.0.0.1:*'] })
    const { id, api_key: key } = await control.sandboxes.create()
    const within = control.sandboxes.control(id)
    expect(await code(within.receivers.add({ url: FOREIGN }))).toBe('400 invalid_request')
    expect(await order({ model: 'm', input: {}, webhook_url: FOREIGN }, key)).toBeUndefined()
    expect((await within.receivers.add({ url: 'http://127.0.0.1:9/hook' })).active).toBe(true)
  })
})
