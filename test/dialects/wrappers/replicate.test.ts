import { createReplicate } from '@ai-sdk/replicate'
import { generateImage, experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import { majorOf } from '../../support/major-of.js'
import { describeClient, type Open } from '../describe-client.js'
import { expectImage, expectVideo } from './media.js'

const REPLICATE = {
  name: 'replicate',
  client: '@ai-sdk/replicate',
  baseUrl: 'https://api.replicate.com/v1',
  path: '/replicate/v1',
}
const FAILURE = { code: 'nsfw', message: 'NSFW content detected.' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const replicate = createReplicate({ baseURL: baseUrl, apiToken: 'any-key' })
  const video = { model: replicate.video('minimax/video-01'), prompt: 'a fox' }
  return { ...service, replicate, video }
}

describeClient(REPLICATE, (open) => {
  it('generates an image in one request that the server holds', async () => {
    const { sim, replicate, requests } = await start(open)
    const model = replicate.image('black-forest-labs/flux-schnell')
    const { image } = await advanceUntilDone(sim, generateImage({ model, prompt: 'a fox' }))
    expectImage(image)
    expect(requests.filter(({ operation }) => operation === 'tasks.retrieve')).toEqual([])
  })

  it('polls a video that takes longer than a request is held', async () => {
    const { video, requests } = await start(open, { defaults: { delay: '70s' } })
    expectVideo((await generateVideo(video)).video)
    expect(requests.filter(({ operation }) => operation === 'tasks.retrieve').length).toBeGreaterThan(3)
  })

  it('rejects with the reason of a failure', async () => {
    const { video } = await start(open, { rules: [{ then: { outcome: 'failed', error: FAILURE } }] })
    await expect(generateVideo(video)).rejects.toThrow(FAILURE.message)
  })

  it.skipIf(majorOf('ai') >= 7)('pays for another video if a poll fails, which is a finding', async () => {
    const lost = { when: { operation: 'tasks.retrieve' as const, nth: 2 }, then: 503 }
    const { sim, video, requests } = await start(open, { defaults: { delay: '70s' }, faults: [lost] })
    expectVideo((await generateVideo(video)).video)
    expect(requests.filter(({ operation }) => operation === 'tasks.create')).toHaveLength(2)
    const findings = await sim.findings()
    expect(findings.map(({ id }) => id)).toContain('gives-up-after-failed-poll')
  })
  it.skipIf(majorOf('ai') < 7)('pays once if a poll fails, since version 7', async () => {
    const lost = { when: { operation: 'tasks.retrieve' as const, nth: 1 }, then: 503 }
    const { video, requests } = await start(open, { faults: [lost] })
    expectVideo((await generateVideo(video)).video)
    expect(requests.filter(({ operation }) => operation === 'tasks.create')).toHaveLength(1)
  })
})
