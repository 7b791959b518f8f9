import { expect, test } from 'vitest'
import { MAX_OPEN } from '../../../../src/engine/webhooks/deliveries/receiver-queues.js'
import { create, simulate } from '../../../support/simulations.js'

const { perReceiver: PER_RECEIVER, perOrigin: PER_ORIGIN } = MAX_OPEN

/** Creates tasks that end at once, one for each URL. @returns the URLs of the POSTs that hang */
async function sendAll(urls: readonly string[]): Promise<string[]> {
  const open: string[] = []
  const transport = ({ url }: { readonly url: string }) => {
    open.push(url)
    return new Promise<never>(() => {})
  }
  const sim = simulate({ patience: 0, scenario: { extends: 'instant' }, transport })
  for (const [number, webhookUrl] of urls.entries()) await create(sim, { input: { number }, webhookUrl })
  await sim.clock.advance('1ms')
  return open
}

const many = (count: number, url: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => url(number))

test('a receiver that hangs does not delay one at another path', async () => {
  const hanging = many(200, () => 'http://receiver.test/hang')
  const open = await sendAll([...hanging, 'http://receiver.test/ok'])
  expect(open).toEqual([...hanging.slice(0, PER_RECEIVER), 'http://receiver.test/ok'])
})

test('URLs that differ only in their query are one receiver', async () => {
  expect(await sendAll(many(100, (id) => `http://receiver.test/hook?id=${id}`))).toHaveLength(PER_RECEIVER)
})

test('an origin has a separate limit, and other origins are not affected', async () => {
  const paths = many(PER_ORIGIN + 10, (number) => `http://receiver.test/${number}`)
  const open = await sendAll([...paths, 'http://other.test/'])
  expect(open).toEqual([...paths.slice(0, PER_ORIGIN), 'http://other.test/'])
})

test('webhooks behind receivers that never answer are sent without a jump in time', async () => {
  const delivered: string[] = []
  const sim = simulate({
    patience: 20,
    scenario: { extends: 'instant', webhooks: { retries: [] } },
    transport: ({ url }) => {
      if (url.endsWith('hang=1')) return new Promise(() => {})
      return new Promise((resolve) => {
        setTimeout(() => {
          delivered.push(url)
          resolve({ status: 204 })
        }, 2)
      })
    },
  })
  for (let number = 0; number < PER_RECEIVER; number++) {
    await create(sim, { input: { number }, webhookUrl: 'http://receiver.test/?hang=1' })
  }
  for (let number = 0; number < 10; number++) {
    await create(sim, { input: { ok: number }, webhookUrl: 'http://receiver.test/?hang=0' })
  }
  await sim.clock.advance('5m')
  expect(delivered).toHaveLength(10)
})
