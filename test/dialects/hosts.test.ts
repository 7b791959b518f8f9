import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, parseDialect, type ScenarioInput } from '../../src/index.js'

const TEXT = `
name: acme
title: Acme
hosts: { https://queue.acme.example: /queue, https://acme.example: /run }
forward: { path: /proxy, header: X-Acme-Target }
key: { scheme: Key }
ids: { prefix: job_, characters: base62, length: 20 }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}", model: "{{model}}", url: "{{base}}/jobs/{{id}}" }
error: { body: { message: "{{message}}" } }
operations:
  POST /queue/models/{model...}: { action: create, model: "{{path.model}}" }
  GET /queue/jobs/{task_id}: retrieve
  POST /run/models/{model...}/sync: { action: create, model: "{{path.model}} at once" }
`
const TABLE = parseDialect(TEXT)

async function start(scenario: ScenarioInput = {}, table = TABLE) {
  const sim = createSimulator({ clock: 'manual', dialects: [table], scenario })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  return { sim, origin: new URL(baseUrl).origin }
}

const ORDER = { method: 'POST', body: '{"prompt":"x"}' }
const headers = { authorization: 'Key own', 'content-type': 'application/json' }

describe('a service with several hosts', () => {
  it('has a path for each of them on a server', async () => {
    const { origin } = await start()
    const created = await fetch(`${origin}/acme/queue/models/a/b/c`, { ...ORDER, headers })
    const { url, ...task } = await created.json()
    expect(task).toMatchObject({ model: 'a/b/c', state: 'running' })
    expect(url).toBe(`${origin}/acme/queue/jobs/${task.id}`)
    expect(await (await fetch(url, { headers })).json()).toEqual({ ...task, url })
    const sync = await fetch(`${origin}/acme/run/models/a/b/sync`, {
      ...ORDER,
      headers,
    })
    expect(await sync.json()).toMatchObject({ model: 'a/b at once', state: 'running' })
  })

  it('answers in process on each host', async () => {
    const { sim } = await start()
    const own = handlers(sim, { dialect: 'acme' })
    const send = (url: string, init: RequestInit = {}) =>
      getResponse(own, new Request(url, { headers, ...init }))
    const task = await (await send('https://queue.acme.example/models/a/b', ORDER))?.json()
    expect(task.url).toBe(`https://queue.acme.example/jobs/${task.id}`)
    expect(await (await send(task.url))?.json()).toEqual(task)
    expect(await send(`https://acme.example/jobs/${task.id}`)).toBeUndefined()
  })
})

it('rejects a parameter after one for several segments', () => {
  const text = TEXT.replace('{model...}:', '{model...}/{version}:')
  expect(() => parseDialect(text)).toThrow('only constant segments may follow `{model...}`')
})

describe('a path to which clients send requests for any host', () => {
  const TARGET = 'https://queue.acme.example/models/a/b?x=1'

  it('answers in place of the host in the header, with its query', async () => {
    const { sim, origin } = await start()
    const paths: string[] = []
    sim.on('request.answered', ({ path, query }) => paths.push(`${path}?${query}`))
    const send = (target: string, init: RequestInit = {}) =>
      fetch(`${origin}/acme/proxy`, { ...init, headers: { ...headers, 'x-acme-target': target } })
    const task = await (await send(TARGET, ORDER)).json()
    expect(task).toMatchObject({ model: 'a/b', url: `${origin}/acme/queue/jobs/${task.id}` })
    expect((await send(`https://queue.acme.example/jobs/${task.id}`)).status).toBe(200)
    expect(paths).toEqual(['/acme/queue/models/a/b?x=1', `/acme/queue/jobs/${task.id}?`])
  })

  it('answers with a slash at its end as well', async () => {
    const { origin } = await start()
    const response = await fetch(`${origin}/acme/proxy/`, {
      ...ORDER,
      headers: { ...headers, 'x-acme-target': TARGET },
    })
    expect(await response.json()).toMatchObject({ model: 'a/b', state: 'running' })
  })

  it.each(['/proxy', '/proxy/'])('rejects the target %s, which is the path itself', async (path) => {
    const oneHost = parseDialect(TEXT.replace(/hosts: .*/, 'hosts: [https://acme.example]'))
    const { origin } = await start({}, oneHost)
    const response = await fetch(`${origin}/acme/proxy`, {
      headers: { 'x-acme-target': `https://acme.example${path}` },
    })
    expect([response.status, (await response.json()).message]).toEqual([
      400,
      expect.stringContaining('The header `X-Acme-Target` has a URL whose requests are forwarded, too.'),
    ])
  })

  it('adds the key of the scenario to a request without one', async () => {
    const { origin } = await start({ auth: { keys: ['theirs'] } })
    const send = (more: Readonly<Record<string, string>>) =>
      fetch(`${origin}/acme/proxy`, {
        ...ORDER,
        headers: { 'content-type': 'application/json', 'x-acme-target': TARGET, ...more },
      })
    expect((await send({})).status).toBe(200)
    expect((await send({ authorization: 'Key another' })).status).toBe(401)
  })

  it.each([
    [undefined, 'The header `X-Acme-Target` is missing.'],
    [
      'https://other.example/models/a',
      'has no URL of the service, on one of its hosts: https://queue.acme.example,',
    ],
    ['nonsense', 'has no URL of the service'],
  ])('rejects the target %s', async (target, message) => {
    const { origin } = await start()
    const response = await fetch(`${origin}/acme/proxy`, {
      headers: target === undefined ? {} : { 'x-acme-target': target },
    })
    expect([response.status, (await response.json()).message]).toEqual([
      400,
      expect.stringContaining(message),
    ])
  })
})
