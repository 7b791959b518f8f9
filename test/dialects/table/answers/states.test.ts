import { describe, expect, it } from 'vitest'
import { taskAnswer } from '../../../../src/dialects/table/answers/task-answer.js'
import type { CreateOperation } from '../../../../src/dialects/table/dialect-table.generated.js'
import type { ScenarioInput } from '../../../../src/index.js'
import { create, simulate } from '../../../support/simulations.js'
import { ACME, callOf, PLACE } from '../acme.js'

const STATES: CreateOperation['states'] = {
  processing: { status: 202 },
  failed: {
    status: 422,
    by_error: {
      timeout: { status: 504 },
      moved: { answer: { moved: true }, headers: { 'X-Moved': '{{error.code}}' } },
    },
    answer: { why: '{{error.code}}' },
    headers: { 'X-Why': '{{error.message}}', 'X-Kept': '{{kept.nothing}}' },
  },
}

/** Answers about a task after some seconds. */
async function answer(seconds: number, scenario: ScenarioInput = {}) {
  const table = { ...ACME, headers: { 'X-Id': '{{id}}', 'X-Why': 'none' } }
  const answerWith = taskAnswer({ states: STATES }, { ...PLACE, table })
  const sim = simulate({ scenario: { defaults: { delay: '5s' }, ...scenario } })
  const { id } = await create(sim)
  await sim.clock.advance(seconds * 1_000)
  const task = await sim.tasks.get(id)
  if (task === undefined) throw new Error('The task is gone')
  const { status, headers, body } = await answerWith(task, callOf(sim, task))
  return { id, status, headers, body: JSON.parse(String(body)) }
}

const failedWith = (code: string): ScenarioInput => ({
  rules: [{ then: { outcome: 'failed', error: { code, message: 'No.' } } }],
})

describe('the answer about a task', () => {
  it('has the status of its state, and the usual body and headers', async () => {
    const { id, status, headers, body } = await answer(1)
    expect([status, headers['x-id'], headers['x-why']]).toEqual([202, id, 'none'])
    expect(body).toMatchObject({ id, status: 'busy' })
  })

  it('is the usual one in a state without its own', async () => {
    expect(await answer(5)).toMatchObject({ status: 200, body: { status: 'done' } })
  })

  it('has the body of its state, and its headers in place of others; one without a value is left out', async () => {
    const { status, headers, body } = await answer(5, failedWith('too_long'))
    expect([status, body]).toEqual([422, { why: 'too_long' }])
    expect(headers).toMatchObject({ 'x-id': expect.any(String), 'x-why': 'No.' })
    expect(headers).not.toHaveProperty('x-kept')
  })

  it('has the body and the headers of its error', async () => {
    const { status, headers, body } = await answer(5, failedWith('moved'))
    expect([status, body]).toEqual([422, { moved: true }])
    expect(headers).toMatchObject({ 'x-moved': 'moved', 'x-why': 'none' })
  })

  it('has the status of its error', async () => {
    expect((await answer(5, failedWith('timeout'))).status).toBe(504)
    expect((await answer(5, failedWith('constructor'))).status).toBe(422)
  })
})
