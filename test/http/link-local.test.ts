import { expect, it } from 'vitest'
import type { SimulatorOptions } from '../../src/index.js'
import { deliveriesOf } from './faulty-webhooks.js'
import { describeHosts, IMAGE } from './hosts.js'

const METADATA = 'http://169.254.169.254/latest/meta-data'

describeHosts('a webhook to a link-local address', (open) => {
  /** Creates a simulator with a transport that only records webhooks. */
  const openWith = async (options: SimulatorOptions) => {
    const sent: string[] = []
    const transport = async ({ url }: { url: string }) => {
      sent.push(url)
      return { status: 204 }
    }
    return { ...(await open({ ...options, transport })), sent }
  }

  it('is rejected with the setting that allows it', async () => {
    const { post, sent, sim } = await openWith({})
    const { status, body } = await post('/api/v1/tasks', { ...IMAGE, webhook_url: METADATA })
    expect([status, body.error.param]).toEqual([400, 'webhook_url'])
    expect(body.error.message).toContain("--webhook-allow 'http://169.254.169.254/*'")
    await sim.clock.advance('1h')
    expect(sent).toEqual([])
  })

  it('is not sent even if the scenario names the receiver', async () => {
    const scenario = { webhooks: { receivers: [METADATA], retries: [] } }
    const { post, sent, sim } = await openWith({ scenario })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1h')
    const [delivery] = deliveriesOf(sim)
    expect([sent, delivery?.state]).toEqual([[], 'given_up'])
    expect(delivery?.attempts[0]?.error).toContain("--webhook-allow 'http://169.254.169.254/*'")
  })

  it('is sent if a pattern names the address', async () => {
    const { post, sent, sim } = await openWith({ webhookAllow: ['*', 'http://169.254.169.254/*'] })
    await post('/api/v1/tasks', { ...IMAGE, webhook_url: METADATA })
    await sim.clock.advance('1h')
    expect(sent).toEqual([METADATA])
  })

  it('is rejected if the patterns allow everything and name no address', async () => {
    const { post } = await openWith({ webhookAllow: ['*'] })
    expect((await post('/api/v1/tasks', { ...IMAGE, webhook_url: METADATA })).status).toBe(400)
  })
})
