import { expect, test } from 'vitest'
import { fileTypeOf, scenarioFileOf } from '../../src/engine/assets/asset.js'
import { buildScenario } from '../../src/scenario/build-scenario.js'
import { create, simulate } from '../support/simulations.js'

const FILES = ['/media/a.png', '/media/b.jpeg', '/media/c.webm']

test('files in code are served by path, for a model, a kind, the defaults or a rule', async () => {
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

test('each task draws its file independently, and its files differ', async () => {
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

test('the extension of a file sets its type', async () => {
  const task = await create(simulate({ scenario: { defaults: { files: ['/media/B.JPEG'] } } }))
  expect(fileTypeOf(task, 0)).toEqual({ extension: 'jpg', contentType: 'image/jpeg' })
})

test('a folder or an unknown type is rejected in code without a scenario file', () => {
  expect(() => buildScenario({ kinds: { image: { files: './my-images' } } })).toThrow(
    'inline: kinds.image.files: cannot use "./my-images" as an output: expected the path of a file that ends in one of .png',
  )
  expect(() => buildScenario({ rules: [{ then: { files: ['a.png', 'b.exe'] } }] })).toThrow(
    'rules[0].then.files: cannot use "b.exe" as an output',
  )
})
