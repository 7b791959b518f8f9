import { expect, test } from 'vitest'
import { create, simulate } from '../../support/simulations.js'

test('those who wait behind receivers that never answer get their attempt, and time does not pass it by', async () => {
  const heard: string[] = []
  const sim = simulate({
    patience: 20,
    scenario: { extends: 'instant', webhooks: { retries: [] } },
    transport: ({ url }) => {
      if (url.endsWith('/hang')) return new Promise(() => {})
      return new Promise((resolve) => {
        setTimeout(() => {
          heard.push(url)
          resolve({ status: 204 })
        }, 2)
      })
    },
  })
  for (let number = 0; number < 32; number++) {
    await create(sim, { input: { number }, webhookUrl: 'http://receiver.test/hang' })
  }
  for (let number = 0; number < 10; number++) {
    await create(sim, { input: { ok: number }, webhookUrl: 'http://receiver.test/ok' })
  }
  await sim.clock.advance('5m')
  expect(heard).toHaveLength(10)
})
