import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { describeHosts } from './hosts.js'

describeHosts('a kind that a scenario defines', (open) => {
  async function outputOf(scenario: ScenarioInput) {
    const { sim, get, post } = await open({ scenario })
    const { body: task } = await post('/api/v1/tasks', { model: 'acme/a', input: { n: 2 } })
    await sim.clock.advance('1m')
    return (await get(`/api/v1/tasks/${task.id}`)).body.output
  }
  const models = { 'acme/a': { kind: 'mesh' } }

  it('has its files in its output, under its own name', async () => {
    const kinds = { mesh: { like: 'tool', files: '/models/cube.glb' } } as const
    expect(await outputOf({ kinds, models })).toEqual({ mesh: expect.stringMatching(/\/0\.glb\?expires=/) })
  })

  it('has the output that the scenario sets', async () => {
    const output = { file: { url: '{{file}}', format: 'glb' } }
    const kinds = { mesh: { like: 'tool', files: '/models/cube.glb', output } } as const
    expect(await outputOf({ kinds, models })).toEqual({
      file: { url: expect.stringMatching(/\/0\.glb\?/), format: 'glb' },
    })
  })

  it('has the output of the kind that it resembles', async () => {
    const url = expect.stringMatching(/\.png\?/)
    expect(await outputOf({ kinds: { mesh: { like: 'image' } }, models })).toEqual({ images: [url, url] })
    expect(await outputOf({ kinds: { mesh: { like: 'tool' } }, models })).toEqual({
      result: { status: 'completed' },
    })
  })

  it('checks the input as the kind that it resembles, and keeps its plan if the scenario changes', async () => {
    const { sim, get, post } = await open({
      scenario: { kinds: { chat: { like: 'llm' } }, models: { m: { kind: 'chat' } } },
    })
    const { status, body: rejection } = await post('/api/v1/tasks', { model: 'm', input: {} })
    expect([status, rejection.error.param]).toEqual([400, 'input.messages'])
    const input = { messages: [{ role: 'user', content: 'Hello' }] }
    const { body: task } = await post('/api/v1/tasks', { model: 'm', input })
    sim.useScenario('default')
    await sim.clock.advance('1m')
    const { body } = await get(`/api/v1/tasks/${task.id}`)
    expect(body.output).toMatchObject({ message: { role: 'assistant' }, finish_reason: 'stop' })
  })

  it('is shown by the control API, which finds its tasks', async () => {
    const { sim, post } = await open({ scenario: { kinds: { mesh: { like: 'tool' } }, models } })
    await post('/api/v1/tasks', { model: 'acme/a', input: {} })
    await post('/api/v1/tasks', { model: 'acme/image-1', input: {} })
    const { data } = await sim.control.tasks.list({ kind: 'mesh' })
    expect(data.map(({ model, kind }) => ({ model, kind }))).toEqual([{ model: 'acme/a', kind: 'mesh' }])
  })
})
