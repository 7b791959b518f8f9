import { createFal } from '@ai-sdk/fal'
import { createReplicate } from '@ai-sdk/replicate'
import { experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { startReceiver } from '../../http/receiver.js'
import { majorOf } from '../../support/major-of.js'
import { describeClient } from '../describe-client.js'
import { expectVideo } from './media.js'

/** Since version 7, the AI SDK itself polls videos, or waits for their webhooks. */
const since7 = it.skipIf(majorOf('ai') < 7)

/** The options of version 7, which the types of the pinned version lack. */
type Order = Parameters<typeof generateVideo>[0]
interface Options {
  readonly poll?: { readonly intervalMs?: number; readonly timeoutMs?: number }
  readonly webhook?: () => Promise<{ url: string; received: Promise<{ body: unknown }> }>
}
const generate = (order: Order, options: Options) => generateVideo(Object.assign(order, options))

const SERVICES = [
  {
    name: 'replicate',
    client: '@ai-sdk/replicate',
    baseUrl: 'https://api.replicate.com/v1',
    path: '/replicate/v1',
    status: 'tasks.retrieve',
    modelAt: (baseUrl: string) =>
      createReplicate({ baseURL: baseUrl, apiToken: 'any-key' }).video('minimax/video-01'),
  },
  {
    name: 'fal',
    client: '@ai-sdk/fal',
    baseUrl: 'https://queue.fal.run',
    path: '/fal/queue',
    status: 'tasks.result',
    modelAt: (baseUrl: string) =>
      createFal({
        apiKey: 'any-key',
        fetch: (url, init) => fetch(String(url).replace('https://queue.fal.run', baseUrl), init),
      }).video('fal-ai/luma-dream-machine/ray-2'),
  },
] as const

for (const service of SERVICES)
  describeClient(service, (open) => {
    since7('polls a video at the interval that the caller chooses', async () => {
      const { baseUrl, requests, sim } = await open()
      const model = service.modelAt(baseUrl)
      expectVideo((await generate({ model, prompt: 'a fox' }, { poll: { intervalMs: 2_000 } })).video)
      expect(requests.filter(({ operation }) => operation === service.status)).toHaveLength(5)
      expect(await sim.findings()).toEqual([])
    })

    since7('asks once for the video when its webhook has arrived', async () => {
      const { baseUrl, requests } = await open()
      let arrive = (_: { body: unknown }) => {}
      const received = new Promise<{ body: unknown }>((resolve) => {
        arrive = resolve
      })
      const receiver = await startReceiver((_, response) => {
        arrive({ body: receiver.received.at(-1)?.json })
        response.writeHead(204).end()
      })
      const { url } = receiver
      const model = service.modelAt(baseUrl)
      expectVideo(
        (await generate({ model, prompt: 'a fox' }, { webhook: async () => ({ url, received }) })).video,
      )
      expect(requests.filter(({ operation }) => operation === service.status)).toHaveLength(1)
    })
  })
