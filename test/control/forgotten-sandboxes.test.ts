import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { simulate } from '../support/simulations.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('the simulator deletes a sandbox after its idle time, and no other', () => {
  const sim = simulate()
  const brief = sim.createSandbox({ idle: '1m' }).identity.id
  const used = sim.createSandbox({ idle: '1m' }).identity
  const usual = sim.createSandbox().identity.id
  const left = () => sim.sandboxes.list().map(({ identity }) => identity.id)
  vi.advanceTimersByTime(50_000)
  sim.sandboxes.byKey(`${used.key}.alice`)
  vi.advanceTimersByTime(40_000)
  expect(left()).toEqual([used.id, usual])
  expect([sim.sandboxes.get(brief), sim.sandboxes.get('sb_none')]).toEqual([undefined, undefined])
  vi.advanceTimersByTime(60_000)
  expect(left()).toEqual([usual])
  vi.advanceTimersByTime(1_770_000)
  expect(left()).toEqual([])
})

it('the simulator keeps no timer while there are no sandboxes', () => {
  const sim = simulate()
  const ids = [1, 2, 3].map(() => sim.createSandbox({ clock: 'real' }).identity.id)
  expect(vi.getTimerCount()).toBe(1)
  for (const id of ids) sim.sandboxes.delete(id)
  vi.advanceTimersByTime(30_000)
  expect(vi.getTimerCount()).toBe(0)
  sim.createSandbox()
  sim.close()
  expect(vi.getTimerCount()).toBe(0)
})

it('the simulator removes the timers of a deleted sandbox', async () => {
  const sim = simulate()
  const { identity, sim: inner } = sim.createSandbox({ clock: 'real' })
  await inner.tasks.create({ owner: 'k', model: 'm', input: {}, webhookUrl: undefined, origin: '' })
  expect(vi.getTimerCount()).toBe(2)
  sim.sandboxes.delete(identity.id)
  vi.advanceTimersByTime(30_000)
  expect(vi.getTimerCount()).toBe(0)
  expect((await inner.tasks.list({ limit: 1 }))?.tasks[0]?.status).toBe('processing')
})

it('the simulator reports errors inside a sandbox', () => {
  const sim = simulate()
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  sim.createSandbox().sim.events.emit('error', 'inside')
  expect(errors).toEqual(['inside'])
})
