import { expect, test } from 'vitest'
import { create, liveOf, simulate } from '../../support/simulations.js'

const CHAT = {
  model: 'acme/composer-2.5',
  input: { messages: [{ role: 'user', content: 'Describe a lighthouse' }] },
}
const FATES = (['failed', 'stuck'] as const).map((outcome) => ({
  when: { input: { fate: outcome } },
  then: { outcome },
}))
const scenario = {
  defaults: { delay: '10s' as const },
  kinds: { llm: { delay: '10s' as const } },
  rules: FATES,
}

test('the images of a task arrive one by one, and the last one with its end', async () => {
  const sim = simulate({ scenario })
  const task = await create(sim, { input: { n: 4 } })
  await sim.clock.advance('2499ms')
  expect(await liveOf(sim).progress.outputsOf(task)).toEqual([])
  await sim.clock.advance('6s')
  expect(await liveOf(sim).progress.outputsOf(task)).toEqual([
    { at: 2_500, file: 0 },
    { at: 5_000, file: 1 },
    { at: 7_500, file: 2 },
  ])
  await sim.clock.advance('2s')
  const ended = await sim.tasks.get(task.id)
  expect(ended && (await liveOf(sim).progress.outputsOf(ended, 3))).toEqual([{ at: 10_000, file: 3 }])
})

test('the text of an LLM arrives in pieces, which are the text of its output', async () => {
  const sim = simulate({ scenario })
  const task = await create(sim, CHAT)
  const texts: string[] = []
  for (let second = 1; second <= 10; second++) {
    await sim.clock.advance('1s')
    const current = (await sim.tasks.get(task.id)) ?? task
    const parts = await liveOf(sim).progress.outputsOf(current)
    texts.push(parts.map((part) => ('text' in part ? part.text : '')).join(''))
  }
  const ended = await sim.tasks.get(task.id)
  expect(ended?.result?.output).toMatchObject({ message: { content: texts.at(-1) } })
  for (const text of texts) expect(texts.at(-1)?.startsWith(text)).toBe(true)
  expect(new Set(texts).size).toBe(10)
})

test('a task that fails keeps the parts that it had', async () => {
  const sim = simulate({ scenario })
  const task = await create(sim, { input: { n: 10, fate: 'failed' } })
  await sim.clock.advance('1m')
  const failed = (await sim.tasks.get(task.id)) ?? task
  expect(failed.status).toBe('failed')
  const parts = await liveOf(sim).progress.outputsOf(failed)
  expect(parts.length).toBe(Math.floor(liveOf(sim).progress.of(failed) * 10))
  expect(parts.length).toBeLessThan(10)
})

test('a result is produced once, and only early if somebody asks', async () => {
  const sim = simulate({ scenario })
  const produced: string[] = []
  const { produce } = sim.tasks.results
  sim.tasks.results.produce = (task) => {
    produced.push(task.status)
    return produce.call(sim.tasks.results, task)
  }
  await create(sim, CHAT)
  await sim.clock.advance('9s')
  expect(produced).toEqual([])
  await sim.clock.advance('1s')
  expect(produced).toEqual(['processing'])
})

test('a reply that was written early is the reply that would be written at the end', async () => {
  const outputs = []
  for (const asks of [true, false]) {
    const sim = simulate({ scenario })
    const task = await create(sim, CHAT)
    if (asks) await liveOf(sim).progress.outputsOf(task)
    await sim.clock.advance('10s')
    outputs.push((await sim.tasks.get(task.id))?.result)
  }
  expect(outputs[0]).toEqual(outputs[1])
})
