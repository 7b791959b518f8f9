import { expect, it } from 'vitest'
import type { AnsweredRequest } from '../../src/index.js'
import { deepTest } from '../support/deep.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer sk_live_local' }
const LLAMA = { scenario: { defaults: { delay: '10s', reply: { text: 'The sea is wide.' } } } } as const
const QUESTION = { input: { prompt: 'How is the sea?' } }
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
    expect(body).toMatchObject({ status: 'starting', output: null })
    await sim.clock.advance('1m')
    const isOverHttp = base.startsWith('http:')
    const written = new Set<unknown>()
    for (let poll = 0; poll < 2; poll++) {
      const { output } = (await get(`/v1/predictions/${body.id}`)).body
      written.add(sim.files.texts.get(body.id))
      if (isOverHttp) expect(output).toEqual([`data:image/png;base64,${btoa('a cat')}`])
      else expect(output).toEqual([expect.stringMatching(/^https:.+\/0\.png\?expires=/)])
    }
    expect(rendered).toBe(isOverHttp ? 1 : 0)
    expect([...written]).toEqual([isOverHttp ? expect.anything() : undefined])
    const [listed] = (await get('/v1/predictions')).body.results
    expect(listed.output).toEqual([expect.stringMatching(/^https?:.+\/0\.png\?expires=/)])
    const { findings } = await sim.verdict({ final: true })
    expect(findings.some(({ id }) => id === 'output-never-downloaded')).toBe(!isOverHttp)
  })

  it('says in the answer to a held request that has expired where the prediction is', async () => {
    const { sim, base, send } = await open({ scenario: { defaults: { delay: '10s' } } })
    const created = (wait: string) =>
      send('/v1/predictions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: wait },
        body: JSON.stringify(CAT),
      })
    const expired = created('wait=5')
    await expect.poll(async () => (await sim.tasks.list({ limit: 1 }))?.tasks.length).toBe(1)
    await sim.clock.advance('5s')
    const { status, headers, body } = await expired
    expect([status, body.status, headers.get('location')]).toEqual([
      201,
      'processing',
      `${base}/v1/predictions/${body.id}`,
    ])
  })

  deepTest('removes the data of a prediction after an hour, also of a failed one', async () => {
    const { sim, get, post, request } = await open()
    const ids: string[] = []
    for (const prompt of ['a cat', 'a cat [[sim outcome=failed]]'])
      ids.push((await post('/v1/predictions', { ...CAT, input: { prompt } })).body.id)
    await sim.clock.advance('1m')
    const { results } = (await get('/v1/predictions')).body
    const [url] = results[1].output
    await sim.clock.advance('58m')
    const shown = async () => Promise.all(ids.map(async (id) => (await get(`/v1/predictions/${id}`)).body))
    expect(await shown()).toMatchObject([
      { status: 'succeeded', input: CAT.input, data_removed: false, logs: expect.stringMatching(/Finished/) },
      { status: 'failed', data_removed: false, logs: expect.stringMatching(/Loading/) },
    ])
    expect((await request(url)).status).toBe(200)
    await sim.clock.advance('2m')
    const removed = { input: {}, output: null, logs: '', data_removed: true, urls: expect.any(Object) }
    expect(await shown()).toMatchObject([
      { status: 'succeeded', error: null, ...removed },
      { status: 'failed', error: expect.any(String), ...removed },
    ])
    expect((await request(url)).status).toBe(410)
    expect((await get('/v1/predictions')).body.results).toMatchObject([removed, removed])
  })

  it('serves each file as soon as it is ready, and keeps its URL after the end', async () => {
    const { sim, post, request } = await open({ scenario: { defaults: { delay: '10s' } } })
    const { id } = (await post('/v1/predictions', { ...CAT, input: { prompt: 'a cat', n: 2 } })).body
    const task = await sim.tasks.get(id)
    const statuses = () =>
      Promise.all(
        [0, 1].map(async (file) => {
          const url = task && sim.outputs.urlOf(task, file, task.origin, sim.clock.now())
          return url && (await request(url)).status
        }),
      )
    await sim.clock.advance('4s')
    expect(await statuses()).toEqual([404, 404])
    await sim.clock.advance('1s')
    expect(await statuses()).toEqual([200, 404])
    await sim.clock.advance('5s')
    expect(await statuses()).toEqual([200, 200])
  })

  it('lets the scenario decide how long files are kept', async () => {
    const { sim, get, post, request } = await open({
      scenario: { outputs: { lifetime: '2h', retention: '3h' } },
    })
    const { body } = await post('/v1/predictions', CAT)
    await sim.clock.advance('1m')
    const [{ output }] = (await get('/v1/predictions')).body.results
    await sim.clock.advance('119m')
    expect((await request(output[0])).status).toBe(200)
    await sim.clock.advance('1m')
    expect((await request(output[0])).status).toBe(403)
    await sim.clock.advance('1h')
    expect((await get(`/v1/predictions/${body.id}`)).body.data_removed).toBe(true)
  })

  it('shows the pieces of a text that are ready to a client that polls', async () => {
    const { sim, get, post } = await open(LLAMA)
    const { body } = await post('/v1/models/meta/llama-chat/predictions', QUESTION)
    const outputAt = async (time: '1s' | '4s' | '5s') => {
      await sim.clock.advance(time)
      return (await get(`/v1/predictions/${body.id}`)).body.output
    }
    expect(body.output).toBeNull()
    expect([await outputAt('1s'), await outputAt('4s'), await outputAt('5s')]).toEqual([
      null,
      ['The', ' sea'],
      ['The', ' sea', ' is', ' wide.'],
    ])
  })

  deepTest('links to the previous page of a list', async () => {
    const { base, get, post } = await open()
    const ids: string[] = []
    for (let made = 0; made < 3; made++) ids.unshift((await post('/v1/predictions', CAT)).body.id)
    const pageAt = async (url: string) => (await get(url.slice(base.length))).body
    const first = await pageAt(`${base}/v1/predictions?limit=2`)
    const second = await pageAt(first.next)
    const back = await pageAt(second.previous)
    expect([first.previous, second.next]).toEqual([null, null])
    expect(second.previous).toBe(`${base}/v1/predictions?limit=2&cursor=newer.${ids[2]}`)
    expect(back.results).toEqual(first.results)
    expect([back.previous, back.next]).toEqual([null, first.next])
  })

  it('sends each piece of a text when it is written, without a key, until the client leaves', async () => {
    const { sim, post, request } = await open(LLAMA)
    const { body } = await post('/v1/models/meta/llama-chat/predictions', QUESTION)
    const left = new AbortController()
    const response = await request(body.urls.stream, { signal: left.signal })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    await sim.clock.advance('3s')
    expect(await reader?.read()).toEqual({ done: false, value: 'event: output\nid: 0\ndata: The\n\n' })
    const answered = new Promise<AnsweredRequest>((resolve) => void sim.on('request.answered', resolve))
    left.abort()
    await reader?.read().catch(() => {})
    expect(await answered).toMatchObject({ operation: 'tasks.stream', delivered: false, taskId: body.id })
  })

  deepTest('streams in a sandbox as well', async () => {
    const { sim, base, request } = await open(LLAMA)
    const { sim: inner, identity } = sim.createSandbox()
    const created = await request(`${base}/v1/models/meta/llama-chat/predictions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${identity.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(QUESTION),
    })
    const { urls } = await created.json()
    await inner.clock.advance('1m')
    const text = await (await request(urls.stream)).text()
    expect(text).toBe(
      `${['The', ' sea', ' is', ' wide.'].map((piece, index) => `event: output\nid: ${index}\ndata: ${piece}\n\n`).join('')}event: done\nid: 4\ndata: {}\n\n`,
    )
  })

  it('cuts a stream off after a share of its events, and replaces it by an error', async () => {
    const when = { operation: 'tasks.stream' } as const
    const { sim, post, request } = await open({
      scenario: { ...LLAMA.scenario, faults: [{ when, then: [{ cut: 0.4 }, 503] }] },
    })
    const { body } = await post('/v1/models/meta/llama-chat/predictions', QUESTION)
    await sim.clock.advance('1m')
    const cut = await request(body.urls.stream)
    await expect(cut.text()).rejects.toThrow()
    expect((await request(body.urls.stream)).status).toBe(503)
    expect((await request(body.urls.stream)).status).toBe(200)
    expect((await request(body.urls.stream.replace(body.id, 'x'))).status).toBe(404)
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
