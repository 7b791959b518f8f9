import { expect, vi } from 'vitest'
import { simTest } from '../../src/vitest/index.js'

const API = 'https://api.example.com/api/v1'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const ORDER = {
  method: 'POST',
  headers: HEADERS,
  body: '{"model": "acme/image-1", "input": {"prompt": "waves"}}',
}

const faults = [
  { when: { operation: 'tasks.create' as const }, then: { status: 429, retry_after: '10s' as const } },
]
const limited = simTest({ scenario: { faults } })

limited('a retry at the same instant of the clock ignores Retry-After', async ({ sim }) => {
  for (let attempt = 0; attempt < 6; attempt++) {
    await fetch(`${API}/tasks`, ORDER)
    await new Promise((resolve) => setTimeout(resolve, attempt % 2))
  }
  expect(() => expect(sim).toHaveNoFindings()).toThrow(
    'was rejected with a Retry-After of 10 s, and the client retried after 0 ms',
  )
})

limited('equal orders at the same instant are not retries', async ({ sim }) => {
  await Promise.all(Array.from({ length: 6 }, () => fetch(`${API}/tasks`, ORDER)))
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  await fetch(`${API}/tasks`, ORDER)
  expect(sim).toHaveNoFindings()
})

const HOOK = 'https://app.example.com/hooks'

/** Orders an image, polls it, and downloads it. */
async function generate(hook = `${HOOK}?job=1`): Promise<void> {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' }, webhook_url: hook })
  const { id } = await (await fetch(`${API}/tasks`, { ...ORDER, body })).json()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const { output } = await (await fetch(`${API}/tasks/${id}`, { headers: HEADERS })).json()
    if (output === null) continue
    await fetch(output.images[0])
    return
  }
}

const withReceiver = (status: number, then: 'spaced' | { delay: '1h' } = { delay: '1h' }) => {
  const got: string[] = []
  const handle = ({ url }: Request) => {
    got.push(url)
    return new Response(null, { status })
  }
  const scenario = { extends: 'default', webhooks: { faults: [{ name: 'late', then }] } }
  return { got, test: simTest({ scenario, receivers: [{ url: HOOK, handle, everyTask: true }] }) }
}

const accepting = withReceiver(204)
accepting.test('a function gets the webhooks of its URL with any query, once each', async ({ sim }) => {
  await generate()
  expect(() => expect(sim).toHaveNoFindings({ strict: true })).toThrow(
    /late of inline\n.* still to be delivered at the end: call `await sim\.clock\.runUntilIdle\(\)`/,
  )
  await sim.clock.runUntilIdle()
  expect(accepting.got).toEqual([`${HOOK}?job=1`])
  expect(sim).toHaveNoFindings({ strict: true })
})

withReceiver(401, 'spaced').test(
  'a receiver that rejects a valid webhook fails the test',
  async ({ sim }) => {
    await generate()
    await sim.clock.runUntilIdle()
    expect(() => expect(sim).toHaveNoFindings()).toThrow(/task\.succeeded of .*: 401 at attempt .*raw bytes/s)
    const ignore = ['rejects-reformatted-webhook']
    expect(sim).toHaveNoFindings({ ignore: [...ignore, 'undelivered-webhooks'] })
    expect(sim).toHaveNoFindings({ ignore, final: false })
  },
)

simTest()('a webhook that nobody receives fails the test, in one line', async ({ sim }) => {
  const print = vi.spyOn(console, 'error')
  await generate()
  await sim.clock.runUntilIdle()
  expect(print).not.toHaveBeenCalled()
  expect(() => expect(sim).toHaveNoFindings()).toThrow(
    /task\.succeeded of .* (?:Failed to fetch|fetch failed) at attempt \d+\./,
  )
})
