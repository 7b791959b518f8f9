import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { type Bench, code, describeClients, first, IMAGE, QUICK, refusal } from './describe-clients.js'

const SECRET = 'open-sesame'

/** Returns everything that the control API shows about receivers and their requests. */
async function shownBy({ control }: Bench, id: string): Promise<string> {
  return JSON.stringify([
    await control.receivers.list(),
    await control.deliveries.list(),
    await control.journal.list({ limit: 1_000 }),
    await control.tasks.get(id),
    await control.findings(),
  ])
}

describeClients('the secret in the query of a receiver URL', (open) => {
  /** Creates a task. Its own receiver and the registered one have a secret in their URL. */
  const withSecrets = async () => {
    const bench = await open({ scenario: QUICK })
    const { url, received, queries } = await receiverWithQueries()
    const registered = await bench.control.receivers.add({ url: `${url}?id=1&token=${SECRET}` })
    const id = await bench.order({ ...IMAGE, webhook_url: `${url}?id=2&%61pi_key=${SECRET}` })
    await bench.control.clock.advance('1s')
    return { ...bench, url, received, queries, registered, id }
  }

  it('is sent, and masked everywhere else', async () => {
    const bench = await withSecrets()
    expect(bench.queries).toEqual([`?id=2&%61pi_key=${SECRET}`, `?id=1&token=${SECRET}`])
    const shown = await shownBy(bench, bench.id)
    expect(shown).not.toContain(SECRET)
    expect(shown).toContain(`${bench.url}?id=1&token=***`)
    expect((await bench.control.tasks.get(bench.id)).webhook_url).toBe(`${bench.url}?id=2&%61pi_key=***`)
  })

  it('is masked in the journal in the body of the request that set it, in any escaping', async () => {
    const { control, origin } = await open({ scenario: QUICK })
    const webhook = `http:\\/\\/127.0.0.1:9\\/?id=1\\u0026token=${SECRET}`
    await fetch(`${origin}/api/v1/tasks`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' },
      body: `{"model": "m", "input": {"prompt": "a \\"quoted\\" word"}, "webhook_url": "${webhook}"}`,
    })
    const [entry] = (await control.journal.list({ type: 'request' })).data
    expect(entry?.type === 'request' && JSON.parse(entry.request_body ?? '')).toEqual({
      model: 'm',
      input: { prompt: 'a "quoted" word' },
      webhook_url: 'http://127.0.0.1:9/?id=1&token=***',
    })
  })

  it('is not needed to find deliveries or to send one again', async () => {
    const { control, url, registered, queries } = await withSecrets()
    expect(registered.url).toBe(`${url}?id=1&token=***`)
    const names = [registered.id, registered.url, `${url}?id=1&token=${SECRET}`]
    const found = await Promise.all(names.map((receiver) => control.deliveries.list({ receiver })))
    expect(found.map(({ data }) => data.map((each) => each.url))).toEqual(names.map(() => [registered.url]))
    await control.deliveries.redeliver(first(found[0]?.data ?? []).id)
    await control.webhooks.trigger('task.failed', { receiver: registered.id })
    expect(queries.slice(2)).toEqual([`?id=1&token=${SECRET}`, `?id=1&token=${SECRET}`])
  })

  it('is not repeated in the error of a request that contains it', async () => {
    const { control, order, url } = await open({ webhookAllow: ['http://127.0.0.1:9/*'] }).then(
      async (bench) => ({ ...bench, ...(await startReceiver()) }),
    )
    const messages = [
      await refusal(control.receivers.add({ url: `${url}?token=${SECRET}` })),
      await refusal(control.receivers.add({ url: `ftp://me:${SECRET}@127.0.0.1/` })),
      await refusal(control.webhooks.trigger('task.failed', `${url}?token=${SECRET}`)),
      await refusal(control.webhooks.trigger('task.failed', `http://me:${SECRET}@127.0.0.1/`)),
    ].map(({ message }) => message)
    for (const message of messages) expect(message).toContain('***')
    expect(messages.join()).not.toContain(SECRET)
    await control.receivers.add({ url: `http://127.0.0.1:9/?sig=${SECRET}` })
    const twice = await refusal(control.receivers.add({ url: `http://127.0.0.1:9/?sig=${SECRET}` }))
    expect(twice.message).toContain('http://127.0.0.1:9/?sig=*** is already registered')
    expect(await order({ ...IMAGE, webhook_url: `http://x:${SECRET}@127.0.0.1:9/` })).toBeUndefined()
    expect(JSON.stringify(await control.journal.list())).not.toContain(SECRET)
  })

  it('must be complete, not masked, in a URL to send to', async () => {
    const { control } = await open()
    const masked = 'http://127.0.0.1:9/?token=***'
    expect((await refusal(control.receivers.add({ url: masked }))).message).toMatch(
      /mask in place of a secret/,
    )
    expect((await refusal(control.webhooks.trigger('task.failed', masked))).message).toMatch(/by its id/)
    expect(await code(control.webhooks.trigger('task.failed', { receiver: 'rcv_9' }))).toBe(
      '400 invalid_request',
    )
  })
})

async function receiverWithQueries() {
  const queries: string[] = []
  const receiver = await startReceiver((_, response) => {
    queries.push(new URL(response.req.url ?? '', 'http://x').search)
    response.writeHead(204).end()
  })
  return { ...receiver, queries }
}
