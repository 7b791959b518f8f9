import { createBlackForestLabs } from '@ai-sdk/black-forest-labs'
import { generateImage } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectImage } from './media.js'

const BFL = {
  name: 'bfl',
  client: '@ai-sdk/black-forest-labs',
  baseUrl: 'https://api.bfl.ai/v1',
  path: '/bfl/v1',
}

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const bfl = createBlackForestLabs({ baseURL: baseUrl, apiKey: 'any-key' })
  return { ...service, order: { model: bfl.image('flux-kontext-pro'), prompt: 'a fox' } }
}

describeClient(BFL, (open) => {
  it('polls an image at the URL of the answer, and downloads it', async () => {
    const { order } = await start(open)
    const { image, providerMetadata } = await generateImage(order)
    expectImage(image)
    expect(providerMetadata['blackForestLabs']?.images).toEqual([
      expect.objectContaining({ seed: 1, start_time: expect.any(Number), duration: 10 }),
    ])
  })

  it('rejects if the image fails', async () => {
    const { order } = await start(open, { rules: [{ then: { outcome: 'failed' } }] })
    await expect(generateImage(order)).rejects.toThrow('Black Forest Labs generation failed.')
  })

  it('does not understand blocked content', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { order } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    await expect(generateImage(order)).rejects.toThrow('Invalid JSON response')
  })

  it('rejects with the message of a rejected request', async () => {
    const { order } = await start(open, { auth: { keys: ['another-key'] } })
    await expect(generateImage(order)).rejects.toMatchObject({ statusCode: 403 })
  })
})
