import { expect } from 'vitest'
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

limited('equal orders at the same instant are no retries', async ({ sim }) => {
  await Promise.all(Array.from({ length: 6 }, () => fetch(`${API}/tasks`, ORDER)))
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  await fetch(`${API}/tasks`, ORDER)
  expect(sim).toHaveNoFindings()
})
