import { expect, test } from 'vitest'
import type { FindingId, ScenarioInput, Simulator } from '../../../src/index.js'
import { HOOK, stage } from './stage.js'

const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' }, webhook_url: HOOK }
const LOST: ScenarioInput['webhooks'] = { faults: [{ then: 'lost' }] }
const KEY = { authorization: 'Bearer sk_live_local' }

/** The verdict about an app that ends before the webhooks of its tasks are due. */
async function checked(
  scenario: ScenarioInput,
  use?: (id: string, on: ReturnType<typeof stage>) => Promise<unknown>,
) {
  const receivers = [{ url: HOOK, handle: () => new Response(null, { status: 204 }), everyTask: true }]
  const on = stage({ scenario: { extends: 'default', ...scenario }, receivers })
  const { id } = await on.live(on.client.create(ORDER))
  await use?.(id, on)
  return stateOf(on.sim)
}

async function stateOf(sim: Simulator) {
  const { checked, findings } = await sim.verdict({ final: true })
  expect(findings).toEqual([])
  return (id: FindingId) => checked.find((rule) => rule.id === id)
}

test('a client that stops after a failed poll may wait for a webhook that is not due yet, even if it will be lost', async () => {
  const faults: ScenarioInput['faults'] = [{ when: { operation: 'tasks.retrieve' }, then: 503 }]
  const of = await checked({ faults, webhooks: LOST }, (id, on) =>
    on.around.send(`/api/v1/tasks/${id}`, { headers: KEY }),
  )
  expect(of('gives-up-after-failed-poll')).toMatchObject({
    state: 'not_observed',
    reason: expect.stringMatching(/before the webhook of the task was due.*until the task has ended/),
  })
})

test.each<FindingId>([
  'relies-on-webhook-alone',
  'slow-webhook',
  'redirects-webhook',
  'accepts-forged-webhook',
])('%s has no result because the run ended before the webhooks were due', async (id) => {
  const of = await checked({ webhooks: LOST })
  expect(of(id)).toMatchObject({
    state: 'not_observed',
    reason: expect.stringContaining('The run ended before the webhook of a task was due.'),
  })
  expect(of(id)?.provoke).toBeUndefined()
})

test('a result whose webhook is still due is not learned yet, and does not pass', async () => {
  const of = await checked({ webhooks: { faults: [{ then: { delay: '5m' } }] } }, (_, on) =>
    on.sim.clock.advance('1m'),
  )
  for (const id of ['result-never-learned', 'relies-on-webhook-alone'] as const)
    expect(of(id)).toMatchObject({ state: 'not_observed', reason: expect.stringContaining('was due') })
})
