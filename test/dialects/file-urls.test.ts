import { expect, it } from 'vitest'
import { dialectStarter } from '../../src/cli/init/starters.js'
import { parseDialect } from '../../src/index.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }
const ACME = parseDialect(
  `${dialectStarter('', 'acme').replace(
    /operations:\n.*?\n\n/s,
    `operations:
  POST /jobs: { action: create, model: "{{body.model}}", input: "{{body}}" }
  GET /jobs/{task_id}: retrieve
  GET /jobs/{task_id}/result: { action: result, answer: { result: "{{files}}" } }
  GET /jobs/{task_id}/files/{file}: { action: file, index: "{{path.file}}" }
\n`,
  )}
outputs: { url: "{{base}}/v1/jobs/{{id}}/files/{{index}}", data_urls_for: { inline-sdk/: [video] } }
`,
)
const INLINE = { headers: { 'user-agent': 'app inline-sdk/1.0' } }

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  it('gives the URLs of files in the form of the service', async () => {
    const { sim, base, get, post, send } = await open({ dialects: [ACME] })
    const path = `/v1/jobs/${(await post('/v1/jobs', { model: 'acme/image-1', prompt: 'waves', num_images: 2 })).body.id}`
    await sim.clock.advance('1m')
    const { urls } = (await get(path)).body
    expect(urls).toEqual([`${base}${path}/files/0`, `${base}${path}/files/1`])
    expect((await send(`${path}/files/1`, {})).headers.get('content-type')).toBe('image/png')
    expect((await send(path, INLINE)).body.urls).toEqual(urls)
  })

  it('gives files of some kinds as data URLs to clients that cannot download them', async () => {
    const { sim, base, get, post, send } = await open({ dialects: [ACME] })
    const path = `/v1/jobs/${(await post('/v1/jobs', { model: 'acme/video-1', prompt: 'waves' })).body.id}`
    expect((await send(path, INLINE)).body).not.toHaveProperty('urls')
    await sim.clock.advance('1m')
    const inline = [expect.stringMatching(/^data:video\/mp4;base64,AAAA/)]
    expect((await send(path, INLINE)).body.urls).toEqual(inline)
    expect((await send(`${path}/result`, INLINE)).body.result).toEqual(inline)
    expect((await get(path)).body.urls).toEqual([`${base}${path}/files/0`])
    expect((await get(`${path}/result`)).body.result).toEqual([`${base}${path}/files/0`])
  })
})
