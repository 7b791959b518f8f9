import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/json.js'
import { learnOutput } from '../../../src/record/learn/output.js'

const samplesOf = (outputOf: (index: number) => JsonObject) =>
  Array.from({ length: 6 }, (_, index) => ({
    input: { prompt: `secret ${index}`, seed: 7 * index },
    output: outputOf(index),
  }))

it('the learner makes a template of outputs that differ from those of the kind', () => {
  const samples = samplesOf((index) => ({
    clip: { url: `https://cdn.example.com/${index}.mp4`, codec: 'h264' },
    worker: 'key_a1b2c3d4e5f6g7h8',
    seed: 7 * index,
    caption: `private ${index}`,
    frames: 100 + index,
    nsfw: [false, index % 2 === 0],
  }))
  expect(learnOutput('video', samples)).toEqual({
    clip: { url: '{{file}}', codec: 'h264' },
    worker: 'text',
    seed: '{{input.seed}}',
    caption: 'text',
    frames: 100,
    nsfw: [false, true],
  })
})

it.each<[string, (index: number) => JsonObject]>([
  ['video', (index) => ({ video: `https://cdn.example.com/${index}.mp4` })],
  ['image', (index) => ({ images: Array(1 + index).fill('https://cdn.example.com/1.png') })],
  ['tool', () => ({ result: { status: 'completed' } })],
  ['image', (index) => ({ pictures: Array(1 + index).fill('https://cdn.example.com/1.png') })],
  ['tool', (index) => (index === 0 ? { one: 1 } : { other: 2 })],
  ['tool', () => ({ file: 'https://cdn.example.com/1.zip' })],
])(
  'the learner writes no template of a kind %s if its own output fits, or no template does',
  (kind, outputOf) => {
    expect(learnOutput(kind, samplesOf(outputOf))).toBeUndefined()
  },
)
