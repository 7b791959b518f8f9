import { expect, it } from 'vitest'
import { mediaOptions } from '../../src/dialects/table/requests/media-options.js'
import { describeDialect } from './describe-dialect.js'

const BEARER = { authorization: 'Bearer sk_live_local' }
const NO_LIMITS = {}
const LIMITS = { scenario: { defaults: { limits: { seconds: { max: 10 } } } } }

describeDialect('luma', 'https://api.lumalabs.ai', BEARER, (open) => {
  const create = async (own: object, settings: Parameters<typeof open>[0] = NO_LIMITS) => {
    const { sim, post } = await open(settings)
    const { status, body } = await post('/dream-machine/v1/generations/video', { model: 'ray-2', ...own })
    return { status, media: status === 201 ? (await sim.tasks.get(body.id))?.media : undefined }
  }

  it.each([
    [
      { resolution: '540p', aspect_ratio: '4:3' },
      { width: 854, height: 480 },
    ],
    [
      { resolution: '4k', aspect_ratio: '9:21' },
      { width: 1_080, height: 1_920 },
    ],
    [{ duration: 'auto' }, { seconds: 5 }],
  ])('makes a video with the nearest values to %j', async (own, media) => {
    expect(await create(own)).toMatchObject({ status: 201, media })
  })

  it('rejects a value outside the limits of the scenario', async () => {
    expect(await create({ duration: '20s' }, LIMITS)).toMatchObject({ status: 400 })
  })
})

describeDialect('replicate', 'https://api.replicate.com', BEARER, (open) => {
  it('makes as many pictures, and charges for them, as the field of the service says', async () => {
    const { sim, post } = await open()
    const { body } = await post('/v1/predictions', {
      version: 'acme/image-1',
      input: { prompt: 'a cat', num_outputs: 3 },
    })
    await sim.clock.advance('1m')
    const task = await sim.tasks.get(body.id)
    expect(task?.result).toMatchObject({ files: 3 })
    expect(task?.cost).toBe(3 * Number((await costOfOne(post, sim)) ?? 0))
  })
})

it('only the fields that a dialect names for a number decide it', () => {
  const input = { num_outputs: 2, num_images: 3, size: '1280x720' }
  const media = (names: readonly string[]) => mediaOptions({ n: names }, input)
  expect(media(['num_outputs'])).toMatchObject({ n: 2, num_images: null, size: '1280x720' })
  expect(media([])).toMatchObject({ n: null, num_images: null })
  expect(mediaOptions({}, input)).toEqual(input)
})

type Opened = Awaited<ReturnType<Parameters<Parameters<typeof describeDialect>[3]>[0]>>

async function costOfOne(post: Opened['post'], sim: Opened['sim']): Promise<number | undefined> {
  const { body } = await post('/v1/predictions', { version: 'acme/image-1', input: { prompt: 'a cat' } })
  await sim.clock.advance('1m')
  return (await sim.tasks.get(body.id))?.cost
}
