import { expect, test } from 'vitest'
import type { NewTask } from '../../../src/engine/tasks/task-factory.js'
import type { Simulator } from '../../../src/index.js'
import { create as createAny, simulate } from '../../support/simulations.js'

const CHAT = { model: 'acme/composer-2.5', input: { messages: [] } }
const scenario = { defaults: { delay: '10s' as const }, kinds: { llm: { delay: '10s' as const } } }

/** Creates a task of a service that reports tasks before their end. */
async function create(sim: Simulator, fields: Partial<NewTask>) {
  await sim.dialects.load('replicate')
  return createAny(sim, { dialect: 'replicate', ...fields })
}

/** Records when what is reported. */
function reports(sim: Simulator): string[] {
  const log: string[] = []
  sim.events.on('task.progressed', (_, what, at) => log.push(`${what} at ${at}`))
  sim.on('task.finished', ({ status }, at) => log.push(`${status} at ${at}`))
  return log
}

test('each image is reported when it is ready, except the last one, which comes with the end', async () => {
  const sim = simulate({ scenario })
  const log = reports(sim)
  await create(sim, { input: { n: 4 }, follow: { outputs: 500 } })
  await sim.clock.advance('1h')
  expect(log).toEqual(['outputs at 2500', 'outputs at 5000', 'outputs at 7500', 'succeeded at 10000'])
})

test('the pieces of a text and log lines are reported at most once in their interval', async () => {
  const sim = simulate({ scenario })
  const log = reports(sim)
  await create(sim, { ...CHAT, follow: { logs: 2_000, outputs: 500 } })
  await sim.clock.advance('1h')
  const timesOf = (what: string) =>
    log.filter((line) => line.startsWith(what)).map((line) => Number(line.split(' at ')[1]))
  const gaps = (times: number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(timesOf('outputs').length).toBeGreaterThan(12)
  expect(Math.min(...gaps(timesOf('outputs')))).toBeGreaterThanOrEqual(500)
  expect(timesOf('logs')[0]).toBe(0)
  expect(timesOf('logs').length).toBeGreaterThan(3)
  expect(Math.min(...gaps(timesOf('logs')))).toBeGreaterThanOrEqual(2_000)
  expect(log.at(-1)).toBe('succeeded at 10000')
})

test('polls report what they bring about', async () => {
  const sim = simulate({ scenario: { defaults: { delay: { polls: 4 } } } })
  const log = reports(sim)
  const task = await create(sim, { input: { n: 4 }, follow: { outputs: 0 } })
  await sim.clock.advance('5s')
  for (let poll = 0; poll < 4; poll++) await sim.tasks.poll(task)
  expect(log).toEqual(['outputs at 5000', 'outputs at 5000', 'outputs at 5000', 'succeeded at 5000'])
})

test('nothing is reported or scheduled after an end or a reset, while a task is held, or unless it is asked for', async () => {
  const sim = simulate({ scenario })
  const log = reports(sim)
  const follow = { outputs: 0, logs: 0 }
  const canceled = await create(sim, { input: { n: 4 }, follow })
  await sim.tasks.cancel(canceled.id)
  await sim.settled()
  await create(sim, { input: { n: 4 }, follow })
  await sim.reset()
  expect(sim.clock.next).toBeUndefined()
  const held = await create(sim, { input: { n: 2 }, follow: { outputs: 0 } })
  await sim.tasks.hold(held.id)
  await create(sim, { input: { n: 3 } })
  await sim.clock.advance('7s')
  expect(log).toEqual(['canceled at 0'])
  await sim.tasks.release(held.id)
  await sim.clock.advance('1h')
  expect(log).toEqual(['canceled at 0', 'outputs at 7000', 'succeeded at 10000', 'succeeded at 10000'])
})

test('a stuck task stops reporting', async () => {
  const sim = simulate({ scenario: 'stuck' })
  const log = reports(sim)
  await create(sim, { input: { n: 3 }, follow: { logs: 0, outputs: 0 } })
  await sim.clock.runUntilIdle()
  expect(log.length).toBeGreaterThan(5)
})
