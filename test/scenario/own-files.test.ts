import { expect, test } from 'vitest'
import { fileTypeOf, scenarioFileOf } from '../../src/engine/assets/asset.js'
import { buildScenario } from '../../src/scenario/language/build-scenario.js'
import { create, simulate } from '../support/simulations.js'

const FILES = ['/media/a.png', '/media/b.jpeg', '/media/c.webm']

test('files in code are handed out by their paths, by model, kind, defaults and rule alike', async () => {
  const sim = simulate({
    scenario: {
      defaults: { files: FILES },
      kinds: { video: { files: '/media/v.mp4' } },
      models: { 'acme/tool': { kind: 'tool', files: ['/media/r.json'] } },
      rules: [{ when: { input: { prompt: 'x' } }, then: { files: ['/media/x.svg'] } }],
    },
  })
  const files = async (model: string, input = {}) => (await create(sim, { model, input })).plan.files
  expect(await files('acme/image-1')).toEqual(FILES)
  expect(await files('acme/video-1')).toEqual(['/media/v.mp4'])
  expect(await files('acme/tool')).toEqual(['/media/r.json'])
  expect(await files('acme/image-1', { prompt: 'x' })).toEqual(['/media/x.svg'])
})

test('which one a task gets is decided by its own chance, and its files are different ones', async () => {
  const scenario = { defaults: { files: FILES } }
  const chosen = async () => {
    const task = await create(simulate({ scenario }), { input: { n: 3 } })
    return [0, 1, 2].map((file) => scenarioFileOf(task, file))
  }
  const first = await chosen()
  expect(await chosen()).toEqual(first)
  expect([...first].sort()).toEqual(FILES)
  const sim = simulate({ scenario })
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, n) => create(sim, { input: { n: 1, seed: n } })),
  )
  expect(new Set(many.map((task) => scenarioFileOf(task, 0))).size).toBe(3)
})

test('a file has the type of its ending', async () => {
  const task = await create(simulate({ scenario: { defaults: { files: ['/media/B.JPEG'] } } }))
  expect(fileTypeOf(task, 0)).toEqual({ extension: 'jpg', contentType: 'image/jpeg' })
})

test('a folder, or a type that nobody knows, is refused where there is no scenario file to see it from', () => {
  expect(() => buildScenario({ kinds: { image: { files: './my-images' } } })).toThrow(
    'inline: kinds.image.files: cannot use "./my-images" as an output: expected the path of a file that ends in one of .png',
  )
  expect(() => buildScenario({ rules: [{ then: { files: ['a.png', 'b.exe'] } }] })).toThrow(
    'rules[0].then.files: cannot use "b.exe" as an output',
  )
})
