import { expect, it } from 'vitest'
import { Dialects } from '../../../src/dialects/dialects.js'
import { recordedBases } from '../../../src/record/replay/read-replay.js'
import { EXCHANGE } from '../recording/recording-text.js'

it.each([
  ['google', 'https://gateway.example/google', '/v1beta/models/veo-3.1:predictLongRunning', ''],
  ['luma', 'https://gateway.example/luma', '/dream-machine/v1/generations/image', ''],
  ['fal', 'https://gateway.example/fal/queue', '/fal-ai/flux/dev', '/queue'],
])('the URLs of %s behind a gateway start with %s', async (name, start, path, host) => {
  const dialect = await new Dialects().load(name)
  const entry = { ...EXCHANGE, request: { ...EXCHANGE.request, url: start + path } }
  const base = recordedBases(dialect, [entry]).find(({ url }) => url.startsWith('https://gateway.example'))
  expect(base).toEqual({ url: start, path: host })
})
