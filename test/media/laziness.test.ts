import { expect, test, vi } from 'vitest'
import { create } from '../support/simulations.js'

const loaded = vi.hoisted(() => new Set<string>())

vi.mock('sharp', async (original) => {
  loaded.add('sharp')
  return original()
})
vi.mock('mediabunny', async (original) => {
  loaded.add('mediabunny')
  return original()
})
vi.mock('../../src/media/picture/glyphs.generated.js', async (original) => {
  loaded.add('glyphs')
  return original()
})

test('the media libraries load with the first file, and only those that the file needs', async () => {
  vi.resetModules()
  const { createSimulator } = await import('../../src/index.js')
  const sim = createSimulator({ scenario: 'instant', clock: 'manual' })
  const finished = async (model: string) => {
    const { id } = await create(sim, { model, input: { prompt: 'a lighthouse' } })
    await sim.settled()
    const task = await sim.tasks.get(id)
    if (task?.status !== 'succeeded') throw new Error('The task has not succeeded')
    expect(sim.outputs.of(task, '', 0)).toBeDefined()
    return task
  }
  const [image, video] = [await finished('acme/image-1'), await finished('acme/video-1')]
  expect([...loaded]).toEqual([])
  await sim.files.get(video, 0)
  expect([...loaded]).toEqual(['mediabunny'])
  await sim.files.get(image, 0)
  expect([...loaded].sort()).toEqual(['glyphs', 'mediabunny', 'sharp'])
})
