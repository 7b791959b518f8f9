import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/index.js'
import { call } from '../../../support/call.js'

/** The first poll of an LLM loads the words of its reply, and later ones do not. */
test.each(['first', 'second'])('the answer to the %s poll precedes the attempt of a webhook', async () => {
  const sim = createSimulator({
    clock: 'manual',
    scenario: { defaults: { delay: { polls: 1 } } },
    receivers: ['http://127.0.0.1:9/webhooks'],
    transport: async () => ({ status: 204 }),
  })
  const input = { messages: [{ role: 'user', content: 'Why is the sky blue?' }] }
  const { body } = await call(sim, 'sk_test', 'POST ', { model: 'example/llm', input })
  const { body: polled } = await call(sim, 'sk_test', `GET /${body.id}`)
  expect(polled.status).toBe('succeeded')
  await sim.settled()
  const types = sim.journal.entries().map((entry) => entry.type)
  expect(types.indexOf('delivery')).toBeGreaterThan(types.lastIndexOf('request'))
  expect(types).toContain('delivery')
  sim.close()
})
