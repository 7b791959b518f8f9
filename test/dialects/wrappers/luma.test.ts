import { createLuma } from '@ai-sdk/luma'
import { generateImage } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectImage } from './media.js'

const LUMA = { name: 'luma', client: '@ai-sdk/luma', baseUrl: 'https://api.lumalabs.ai', path: '/luma' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl } = await open(...scenario)
  const luma = createLuma({ baseURL: baseUrl, apiKey: 'any-key' })
  return { model: luma.image('photon-1'), prompt: 'a fox' }
}

describeClient(LUMA, (open) => {
  it('polls an image until its end', async () => {
    expectImage((await generateImage(await start(open))).image)
  })

  it('rejects if the generation fails', async () => {
    const order = await start(open, { rules: [{ then: { outcome: 'failed' } }] })
    await expect(generateImage(order)).rejects.toThrow('Image generation failed.')
  })
})
