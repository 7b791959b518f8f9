import { expect, it } from 'vitest'
import { Dialects } from '../../../src/dialects/dialects.js'
import type { JsonValue } from '../../../src/engine/json.js'
import { ObservedTasks } from '../../../src/record/exchanges/observed-tasks.js'

const URL = 'https://api.stability.ai/v2beta/stable-image/upscale/creative'
const ID = 'a'.repeat(64)

/** The task of a service whose last answer to a poll is neither a task nor has its id. */
async function polled(status: number, body?: JsonValue) {
  const tasks = new ObservedTasks(await new Dialects().load('stability'))
  const seen = (
    at: number,
    method: string,
    url: string,
    answer: { status: number; body: JsonValue | undefined },
  ) =>
    tasks.add({
      at,
      answeredAt: at,
      method,
      url,
      headers: {},
      body: undefined,
      answer: { headers: {}, ...answer },
    })
  tasks.add({
    ...{ at: 0, answeredAt: 0, method: 'POST', url: URL, headers: {}, body: { image: 'i', prompt: 'a cat' } },
    answer: { status: 200, headers: {}, body: { id: ID } },
  })
  seen(1_000, 'GET', `${URL}/result/${ID}`, { status: 202, body: { id: ID, status: 'in-progress' } })
  seen(2_000, 'GET', `${URL}/result/${ID}`, { status, body })
  return [...tasks.tasks()]
}

it.each([
  ['a file', 200, undefined, 'succeeded'],
  ['its word in another field', 200, { image: '', finish_reason: 'SUCCESS', seed: 1 }, 'succeeded'],
  ['a rejection for failures', 403, { id: ID, name: 'content_moderation', errors: ['No.'] }, 'failed'],
])('an answer to a poll shows the end of a task by %s', async (_, status, body, end) => {
  const error = end === 'failed' ? { code: 'content_policy', message: 'No.' } : undefined
  expect(await polled(status, body)).toMatchObject([{ id: ID, status: end, endedAt: 2_000, error }])
})

it('an answer to a poll with an error about the request shows no end of the task', async () => {
  expect(await polled(429, { id: 'r', name: 'rate_limit_exceeded', errors: ['Slow.'] })).toMatchObject([
    { status: 'queued', endedAt: undefined },
  ])
})
