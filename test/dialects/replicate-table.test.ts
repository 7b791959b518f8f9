import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer sk_live_local' }
const CAT = { version: 'acme/image-1', input: { prompt: 'a cat' } }

describeDialect('replicate', 'https://api.replicate.com', KEY, (open) => {
  it('gives files as data URLs over plain HTTP, and renders them once', async () => {
    let rendered = 0
    const render = async () => {
      rendered += 1
      return new TextEncoder().encode('a cat')
    }
    const { sim, base, get, post } = await open({ renderer: { render } })
    const { body } = await post('/v1/predictions', CAT)
    expect(body).toMatchObject({ status: 'processing', output: null })
    await sim.clock.advance('1m')
    const isOverHttp = base.startsWith('http:')
    for (let poll = 0; poll < 2; poll++) {
      const { output } = (await get(`/v1/predictions/${body.id}`)).body
      if (isOverHttp) expect(output).toEqual([`data:image/png;base64,${btoa('a cat')}`])
      else expect(output).toEqual([expect.stringMatching(/^https:.+\/0\.png\?expires=/)])
    }
    expect(rendered).toBe(isOverHttp ? 1 : 0)
    const [listed] = (await get('/v1/predictions')).body.results
    expect(listed.output).toEqual([expect.stringMatching(/^https?:.+\/0\.png\?expires=/)])
    const { findings } = await sim.verdict({ final: true })
    expect(findings.some(({ id }) => id === 'output-never-downloaded')).toBe(!isOverHttp)
  })

  it('shows that an output was removed after its retention', async () => {
    const { sim, get, post } = await open({ scenario: { outputs: { retention: '1h' } } })
    const { body } = await post('/v1/predictions', CAT)
    await sim.clock.advance('2h')
    const removed = await get(`/v1/predictions/${body.id}`)
    expect(removed.body).toMatchObject({ status: 'succeeded', output: null, data_removed: true })
  })

  it('asks for a version, in the form of a problem', async () => {
    const { post } = await open()
    expect((await post('/v1/predictions', { input: {} })).body).toEqual({
      title: 'Bad request',
      detail: expect.stringContaining('`version`'),
      status: 400,
    })
  })
})
