import { describe, expect, it } from 'vitest'
import type { DeliveryBriefShape } from '../../src/control/shapes.js'
import { isDeceived, verdictOf } from '../../src/dashboard/model/webhooks/attempts.js'
import { createDeliveryStore, DECEIVED, numberOf } from '../../src/dashboard/model/webhooks/deliveries.js'
import { secretCommand } from '../../src/dashboard/model/webhooks/secret-command.js'

type Attempt = DeliveryBriefShape['attempts'][number]

function attempt(details: Partial<Attempt> = {}): Attempt {
  return { number: 1, started_at: '2026-01-01T00:00:00.000Z', took_ms: 3, status: 204, ...details }
}

function delivery(id: string, details: Partial<DeliveryBriefShape> = {}): DeliveryBriefShape {
  return {
    id,
    task_id: `task_of_${id}`,
    dialect: 'tasks',
    event: 'task.succeeded',
    url: 'http://localhost:3000/hooks',
    state: 'delivered',
    created_at: '2026-01-01T00:00:00.000Z',
    attempts: [attempt()],
    ...details,
  }
}

const ids = (found: readonly DeliveryBriefShape[]) => found.map(({ id }) => id)

describe('the deliveries of the page', () => {
  it('are newest first, whatever the order of their arrival', () => {
    const store = createDeliveryStore(() => true)
    for (const id of ['dlv_00000002', 'dlv_0000000a', 'dlv_00000001']) store.put(delivery(id))
    expect(ids(store.list(() => true))).toEqual(['dlv_0000000a', 'dlv_00000002', 'dlv_00000001'])
    expect(numberOf('dlv_0000000a')).toBe(10)
  })

  it('never go back to an earlier state', () => {
    const store = createDeliveryStore(() => true)
    const retried = delivery('dlv_1', { state: 'pending', attempts: [attempt({ status: 500 })] })
    store.put(retried)
    store.put({ ...retried, attempts: [] })
    expect(store.get('dlv_1')?.attempts).toHaveLength(1)
    store.put({ ...retried, state: 'given_up' })
    store.put(retried)
    expect(store.get('dlv_1')?.state).toBe('given_up')
  })

  it('are filtered by every condition of the address', () => {
    const all = [
      delivery('dlv_1'),
      delivery('dlv_2', { event: 'task.failed', state: 'given_up', attempts: [attempt({ status: 500 })] }),
      delivery('dlv_3', { url: 'http://localhost:4000/', attempts: [attempt({ flaw: 'wrong' })] }),
      delivery('dlv_4', { dialect: 'runpod', attempts: [attempt({ flaw: 'previous_secret', status: 401 })] }),
    ]
    const { filter } = createDeliveryStore((dialect) => dialect !== 'runpod').form
    const found = (query: Record<string, string>) => ids(all.filter(filter.test(filter.read(query))))
    expect(found({})).toHaveLength(4)
    expect(found({ state: 'given_up' })).toEqual(['dlv_2'])
    expect(found({ event: 'task.failed' })).toEqual(['dlv_2'])
    expect(found({ receiver: 'http://localhost:4000/' })).toEqual(['dlv_3'])
    expect(found({ task: 'task_of_dlv_4' })).toEqual(['dlv_4'])
    expect(found({ verdict: 'forged' })).toEqual(['dlv_3'])
    expect(found({ verdict: 'old_secret' })).toEqual(['dlv_4'])
    expect(found({ verdict: DECEIVED })).toEqual(['dlv_3'])
    expect(found({ text: '500 FAILED' })).toEqual(['dlv_2'])
  })
})

it.each([
  [undefined, true, 'valid'],
  [undefined, false, 'none'],
  ['wrong', true, 'forged'],
  ['changed', true, 'forged'],
  ['empty', true, 'unsigned'],
  ['previous_secret', true, 'old_secret'],
  ['old_timestamp', true, 'too_old'],
] as const)('an attempt with the flaw %s is judged', (flaw, isSigned, expected) => {
  expect(verdictOf({ flaw }, isSigned)).toBe(expected)
})

it('a receiver is deceived if it accepts what it should reject', () => {
  expect(isDeceived(attempt(), 'forged')).toBe(true)
  expect(isDeceived(attempt({ status: 401 }), 'forged')).toBe(false)
  expect(isDeceived(attempt(), 'old_secret')).toBe(false)
})

it.each([
  ['default', 'tasks', undefined, 'npx tasksim secret'],
  ['./my flows.yaml', 'luma', undefined, "npx tasksim secret './my flows.yaml' --dialect luma"],
  ['flaky', 'tasks', 'http://x/?token=***', "npx tasksim secret flaky --receiver 'http://x/?token=***'"],
  ['inline', 'tasks', undefined, undefined],
])('the command for the secret of %s, %s, %s is %s', (scenario, dialect, receiver, expected) => {
  expect(secretCommand(scenario, dialect, receiver)).toBe(expected)
})
