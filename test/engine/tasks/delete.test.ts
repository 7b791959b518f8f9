import { expect, test } from 'vitest'
import type { Post } from '../../../src/index.js'
import { create, simulate } from '../../support/simulations.js'

test('a deleted task disappears with its file, and frees its memory', async () => {
  const sim = simulate({ renderer: { render: async () => new Uint8Array(10) } })
  const before = sim.memory.used
  const forgotten: string[] = []
  sim.on('task.forgotten', ({ id }, reason) => forgotten.push(`${id} ${reason}`))
  const { id } = await create(sim)
  await sim.clock.advance('1s')
  const ended = await sim.tasks.get(id)
  if (ended !== undefined) await sim.files.get(ended, 0)
  expect((await sim.tasks.delete(id))?.status).toBe('succeeded')
  expect(await sim.tasks.get(id)).toBeUndefined()
  expect(forgotten).toEqual([`${id} deleted`])
  sim.journal.clear()
  expect(sim.memory.used).toBe(before)
  expect(await sim.tasks.delete(id)).toBeUndefined()
})

test('a live task is canceled before it is deleted, and its place is free for the next one', async () => {
  const sim = simulate({ scenario: { capacity: { running: 1 }, defaults: { delay: '1s' } } })
  const events: string[] = []
  sim.on('task.finished', ({ id, status }) => events.push(`${id} ${status}`))
  sim.on('task.started', ({ id }) => events.push(`${id} started`))
  sim.on('task.forgotten', ({ id }) => events.push(`${id} forgotten`))
  const first = await create(sim)
  const second = await create(sim)
  expect((await sim.tasks.delete(first.id))?.status).toBe('canceled')
  expect(events).toEqual([`${first.id} canceled`, `${second.id} started`, `${first.id} forgotten`])
  await sim.clock.advance('1s')
  expect(events).toHaveLength(4)
})

test('an erased task stays, without its file, and is canceled first if it is live', async () => {
  const sim = simulate({ renderer: { render: async () => new Uint8Array(10) } })
  const ended = await create(sim)
  await sim.clock.advance('1s')
  const { status, erasedAt } = (await sim.tasks.erase(ended.id)) ?? {}
  expect([status, erasedAt]).toEqual(['succeeded', sim.clock.now()])
  const live = await create(sim)
  expect((await sim.tasks.erase(live.id))?.status).toBe('canceled')
  await sim.clock.advance('1s')
  expect((await sim.tasks.erase(ended.id))?.erasedAt).toBe(erasedAt)
  expect((await sim.tasks.list({ limit: 5 }))?.tasks.map(({ id }) => id)).toEqual([live.id, ended.id])
  expect(await sim.tasks.erase('task_none')).toBeUndefined()
})

test('the webhooks of a deleted task are still sent and retried', async () => {
  const posts: Post[] = []
  const transport = async (post: Post) => {
    posts.push(post)
    return { status: posts.length < 3 ? 500 : 200 }
  }
  const sim = simulate({ transport })
  const { id } = await create(sim, { webhookUrl: 'http://receiver.test/' })
  await sim.tasks.delete(id)
  await sim.clock.runUntilIdle()
  expect(posts).toHaveLength(3)
  expect(new TextDecoder().decode(posts[2]?.body)).toContain(`"id":"${id}","status":"canceled"`)
})

test('a task like a deleted one gets another id', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  await sim.tasks.delete(id)
  expect((await create(sim)).id).not.toBe(id)
})

test('concurrent deletes delete once, and an unknown id deletes nothing', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  await sim.clock.advance('1s')
  const used = sim.memory.usage().ended_tasks ?? 0
  expect(used).toBeGreaterThan(0)
  const deleted = await Promise.all([
    sim.tasks.delete(id),
    sim.tasks.delete(id),
    sim.tasks.delete('task_none'),
  ])
  expect(deleted.map((task) => task?.id)).toEqual([id, undefined, undefined])
  expect(sim.memory.usage().ended_tasks).toBe(0)
})

test('a delete that a reset interrupts deletes no later task with the same id', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  const deleted = sim.tasks.delete(id)
  await sim.reset()
  const namesake = await create(sim)
  await deleted
  expect(await sim.tasks.get(namesake.id)).toBeDefined()
})
