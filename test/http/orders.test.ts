import { expect, it } from 'vitest'
import { defineScenario } from '../../src/index.js'
import { describeHosts } from './hosts.js'

const INSTANT = { extends: 'instant' } as const

describeHosts('a media request', (open) => {
  it.each([
    ['acme/image-1', { width: 0 }, 'input.width', 'a whole number of pixels from 16 to 4096'],
    ['acme/image-1', { size: 'abc' }, 'input.size', 'a size such as "1024x1536"'],
    ['acme/image-1', { output_format: 'bmp' }, 'input.output_format', '`png`, `jpeg` or `webp`'],
    ['acme/video-1', { duration: 36_000 }, 'input.duration', 'a number of seconds from 0.5 to 60'],
    ['acme/video-1', { aspect_ratio: '5:4' }, 'input.aspect_ratio', '`16:9`, `9:16` or `1:1`'],
    ['acme/speech-1', { format: 'aiff' }, 'input.format', '`mp3` or `wav`'],
  ])(
    'of %s with %j is rejected with the field and its allowed values',
    async (model, input, param, expected) => {
      const { post, get } = await open()
      const { status, body } = await post('/api/v1/tasks', { model, input })
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'invalid_request', param })
      expect(body.error.message).toContain(expected)
      expect(body.error.message).toContain(JSON.stringify(Object.values(input)[0]))
      expect((await get('/api/v1/tasks')).body.data).toEqual([])
    },
  )

  it('that was rejected does not count as an occurrence', async () => {
    const rules = [{ when: { occurrence: 1 }, then: { outcome: 'failed' as const } }]
    const { post, sim } = await open({ scenario: { ...INSTANT, rules } })
    await post('/api/v1/tasks', { model: 'acme/image-1', input: { n: 99 } })
    sim.useScenario(defineScenario({ ...INSTANT, rules, defaults: { limits: { images: 99 } } }))
    const { body } = await post('/api/v1/tasks', { model: 'acme/image-1', input: { n: 99 } })
    await sim.settled()
    expect((await sim.tasks.get(body.id))?.status).toBe('failed')
  })

  it('is adjusted by a lenient model, and priced by its result', async () => {
    const scenario = {
      ...INSTANT,
      models: { 'acme/*': { lenient: true, limits: { images: 2, seconds: { max: 10 } } } },
    }
    const { post, get, sim } = await open({ scenario })
    const costOf = async (model: string, input: object) => {
      const { status, body } = await post('/api/v1/tasks', { model, input })
      expect(status).toBe(200)
      await sim.settled()
      return (await get(`/api/v1/tasks/${body.id}`)).body.cost_usd
    }
    expect(await costOf('acme/image-1', { n: 50, width: -1, output_format: 'bmp' })).toBe(0.08)
    expect(await costOf('acme/video-1', { duration: 36_000 })).toBe(1)
  })

  it('keeps its specification when the scenario changes', async () => {
    const { post, sim } = await open({ scenario: { ...INSTANT, defaults: { lenient: true } } })
    const { id } = (await post('/api/v1/tasks', { model: 'acme/image-1', input: { width: 9_999 } })).body
    const before = (await sim.tasks.get(id))?.media
    sim.useScenario(
      defineScenario({ ...INSTANT, defaults: { lenient: true, limits: { side: { max: 64 } } } }),
    )
    expect((await sim.tasks.get(id))?.media).toEqual(before)
    expect(before).toMatchObject({ width: 4_096, height: 1_024 })
  })
})
